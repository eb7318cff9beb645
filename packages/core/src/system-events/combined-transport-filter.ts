import type { MessageClass, TransportPublishFilter } from '../messages/index.js';

/**
 * Combines the filter of svc with those of the application: a message passes only if all of them return `true` (decision 0079).
 * Any other value, such as a promise, rejects the message.
 */
export class CombinedTransportFilter implements TransportPublishFilter {
  readonly #filters: readonly TransportPublishFilter[];

  constructor(...filters: readonly TransportPublishFilter[]) {
    this.#filters = filters;
  }

  shouldPublishToTransport(message: object | MessageClass): boolean {
    return this.#filters.every((filter) => (filter.shouldPublishToTransport(message) as unknown) === true);
  }

  shouldReceiveFromTransport(messageType: MessageClass): boolean {
    return this.#filters.every((filter) => (filter.shouldReceiveFromTransport(messageType) as unknown) === true);
  }
}
