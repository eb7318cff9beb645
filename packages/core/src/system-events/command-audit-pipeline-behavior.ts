import { done, isPromise, type PipelineBehavior, type ReceptorContext } from '../dispatch/index.js';
import type { MessageClass } from '../messages/index.js';
import type { SystemEventEmitter } from './system-event-emitter.js';
import type { SystemEventOptions } from './system-event-options.js';

/** Emits a `CommandAudited` for each processed command, committed or dropped together with the command. */
export class CommandAuditPipelineBehavior implements PipelineBehavior {
  readonly #emitter: SystemEventEmitter;
  readonly #options: SystemEventOptions;

  constructor(emitter: SystemEventEmitter, options: SystemEventOptions) {
    this.#emitter = emitter;
    this.#options = options;
  }

  handle(context: ReceptorContext, next: () => unknown): unknown {
    const response = next();
    return isPromise(response) ? response.then((value) => this.#audit(context, value)) : this.#audit(context, response);
  }

  #audit(context: ReceptorContext, response: unknown): unknown {
    if (!this.#options.commandAuditEnabled) return response;
    const command = context.envelope.payload;
    if (this.#emitter.shouldExcludeFromAudit(command.constructor as MessageClass)) return response;
    const receptorName = String(context.metadata.get('ReceptorName'));
    const emitting = this.#emitter.emitCommandAudited(command, response, receptorName, context);
    return emitting === done ? response : emitting.then(() => response);
  }
}
