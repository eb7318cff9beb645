import type { MessageClass, MessageRegistry, TransportPublishFilter } from '../messages/index.js';
import type { SystemEventOptions } from './system-event-options.js';
import { isSystemMessage } from './system-messages.js';

/** Neither publishes nor receives system events unless they are broadcast. All other messages pass. */
export class SystemEventTransportFilter implements TransportPublishFilter {
  readonly #options: SystemEventOptions;
  readonly #messages: MessageRegistry;

  constructor(options: SystemEventOptions, messages: MessageRegistry) {
    this.#options = options;
    this.#messages = messages;
  }

  shouldPublishToTransport(message: object | MessageClass): boolean {
    return this.#passes((typeof message === 'function' ? message : message.constructor) as MessageClass);
  }

  shouldReceiveFromTransport(messageType: MessageClass): boolean {
    return this.#passes(messageType);
  }

  #passes(type: MessageClass): boolean {
    return !this.#options.localOnly || !isSystemMessage(this.#messages.find(type));
  }
}
