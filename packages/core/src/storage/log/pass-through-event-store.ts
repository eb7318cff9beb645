import type { Uuid } from '../../json/index.js';
import type { MessageEnvelope } from '../../messages/index.js';
import type { AppendOptions, StoredEvent, StreamEvent, StreamStart, UnitEventStore } from './event-store.js';

/** The base of decorators: every operation passes through to the inner store. */
export abstract class PassThroughEventStore implements UnitEventStore {
  readonly #inner: UnitEventStore;

  constructor(inner: UnitEventStore) {
    this.#inner = inner;
  }

  append(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): void {
    this.#inner.append(streamId, envelope, options);
  }

  readStream(streamId: Uuid, from?: StreamStart): AsyncIterable<StreamEvent> {
    return this.#inner.readStream(streamId, from);
  }

  findEvent(eventId: Uuid): Promise<StreamEvent | null> {
    return this.#inner.findEvent(eventId);
  }

  readAll(afterSequence?: number): AsyncIterable<StoredEvent> {
    return this.#inner.readAll(afterSequence);
  }

  lastPosition(streamId: Uuid): Promise<number> {
    return this.#inner.lastPosition(streamId);
  }
}
