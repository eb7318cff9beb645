import type { Uuid } from '../json/index.js';
import type { MessageEnvelope, TransportPublishFilter } from '../messages/index.js';
import type {
  AppendOptions,
  DeferredOutboxChannel,
  StoredEvent,
  StreamEvent,
  StreamStart,
  UnitEventStore,
} from '../storage/index.js';

/** Queues each event that is appended for the transport, when the filter lets it. Everything else passes through to the inner store. */
export class PublishingEventStoreDecorator implements UnitEventStore {
  readonly #inner: UnitEventStore;
  readonly #outbox: DeferredOutboxChannel;
  readonly #filter: TransportPublishFilter;

  constructor(inner: UnitEventStore, outbox: DeferredOutboxChannel, filter: TransportPublishFilter) {
    this.#inner = inner;
    this.#outbox = outbox;
    this.#filter = filter;
  }

  append(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): void {
    this.#inner.append(streamId, envelope, options);
    if (!this.#filter.shouldPublishToTransport(envelope.payload)) return;
    const { id, type } = envelope;
    this.#outbox.queue({
      id,
      lane: 'transport',
      destination: namespaceOf(type),
      message: null,
      note: null,
      eventId: id,
    });
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

/** The topic of an event: `orders` for `orders.OrderPlaced`. */
function namespaceOf(type: string): string {
  return type.slice(0, type.lastIndexOf('.'));
}
