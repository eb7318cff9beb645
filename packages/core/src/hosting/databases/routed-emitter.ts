import type { MessageContext } from '../../dispatch/index.js';
import type { Uuid } from '../../json/index.js';
import {
  tenantOfEvent,
  type Command,
  type MessageClass,
  type MessageEnvelope,
  type SystemEvent,
} from '../../messages/index.js';
import { currentSecurityContext } from '../../security/index.js';
import type { EmitOptions, SystemEventEmitter } from '../../system-events/index.js';
import type { DatabaseRouter } from './database-router.js';
import type { Home } from './tenant-homes.js';

interface EmittingDatabase extends Home {
  readonly emitter: SystemEventEmitter;
}

/** Emits each system event to the database of its tenant: that of its cause, or of the current actor. */
export class RoutedEmitter implements SystemEventEmitter {
  readonly #router: DatabaseRouter<EmittingDatabase>;

  constructor(router: DatabaseRouter<EmittingDatabase>) {
    this.#router = router;
  }

  async emitEventAudited(
    streamId: Uuid,
    streamPosition: number,
    envelope: MessageEnvelope,
    signal?: AbortSignal,
  ): Promise<void> {
    const { emitter } = await this.#router.of(null, tenantOfEvent(envelope));
    await emitter.emitEventAudited(streamId, streamPosition, envelope, signal);
  }

  emitCommandAudited(
    command: Command,
    response: unknown,
    receptorName: string,
    context?: MessageContext,
    signal?: AbortSignal,
  ): Promise<void> {
    // With a context, the record joins the unit of work of its command, which has its database.
    if (context !== undefined) return this.#any.emitCommandAudited(command, response, receptorName, context, signal);
    return this.#ofActor((emitter) => emitter.emitCommandAudited(command, response, receptorName, undefined, signal));
  }

  async emit(event: SystemEvent, options: EmitOptions = {}): Promise<void> {
    const { context, cause } = options;
    if (context !== undefined) return await this.#any.emit(event, options);
    if (cause === undefined) return await this.#ofActor((emitter) => emitter.emit(event, options));
    const { emitter } = await this.#router.of(null, cause.scope?.['tenantId'] ?? '');
    await emitter.emit(event, options);
  }

  shouldExcludeFromAudit(type: MessageClass): boolean {
    return this.#any.shouldExcludeFromAudit(type);
  }

  get #any(): SystemEventEmitter {
    return this.#router.fallback.emitter;
  }

  async #ofActor(emit: (emitter: SystemEventEmitter) => Promise<void>): Promise<void> {
    const { emitter } = await this.#router.of(currentSecurityContext());
    await emit(emitter);
  }
}
