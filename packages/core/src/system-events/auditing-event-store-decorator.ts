import type { Uuid } from '../json/index.js';
import type { MessageEnvelope } from '../messages/index.js';
import type {
  AppendOptions,
  DeferredOutboxChannel,
  StoredEvent,
  StreamEvent,
  StreamStart,
  UnitEventStore,
} from '../storage/index.js';
import type { AuditPolicy } from './audit-policy.js';
import { eventAuditEnvelope } from './event-audit.js';

/** Queues an `EventAudited` for each event that is appended. Everything else passes through to the inner store. */
export class AuditingEventStoreDecorator implements UnitEventStore {
  readonly #inner: UnitEventStore;
  readonly #outbox: DeferredOutboxChannel;
  readonly #policy: AuditPolicy;

  constructor(inner: UnitEventStore, outbox: DeferredOutboxChannel, policy: AuditPolicy) {
    this.#inner = inner;
    this.#outbox = outbox;
    this.#policy = policy;
  }

  append(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): void {
    this.#inner.append(streamId, envelope, options);
    const attribute = this.#policy.attributeFor(envelope.payload.constructor);
    if (attribute !== null) this.#outbox.queue(eventAuditEnvelope(envelope, attribute));
  }

  readStream(streamId: Uuid, from?: StreamStart): AsyncIterable<StreamEvent> {
    return this.#inner.readStream(streamId, from);
  }

  readAll(afterSequence?: number): AsyncIterable<StoredEvent> {
    return this.#inner.readAll(afterSequence);
  }

  lastPosition(streamId: Uuid): Promise<number> {
    return this.#inner.lastPosition(streamId);
  }
}
