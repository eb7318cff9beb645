import type { Uuid } from '../json/index.js';
import type { MessageEnvelope } from '../messages/index.js';
import {
  PassThroughEventStore,
  type AppendOptions,
  type DeferredOutboxChannel,
  type UnitEventStore,
} from '../storage/index.js';
import type { AuditPolicy } from './audit-policy.js';
import { eventAuditEnvelope } from './event-audit.js';

/** Queues an `EventAudited` for each appended event, and passes every call on to the inner store. */
export class AuditingEventStoreDecorator extends PassThroughEventStore {
  readonly #outbox: DeferredOutboxChannel;
  readonly #policy: AuditPolicy;

  constructor(inner: UnitEventStore, outbox: DeferredOutboxChannel, policy: AuditPolicy) {
    super(inner);
    this.#outbox = outbox;
    this.#policy = policy;
  }

  override append(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): void {
    super.append(streamId, envelope, options);
    const attribute = this.#policy.attributeFor(envelope.payload.constructor);
    if (attribute !== null) this.#outbox.queue(eventAuditEnvelope(envelope, attribute));
  }
}
