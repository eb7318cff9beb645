import type { Uuid } from '../json/index.js';
import type { MessageEnvelope, TransportPublishFilter } from '../messages/index.js';
import {
  PassThroughEventStore,
  type AppendOptions,
  type DeferredOutboxChannel,
  type UnitEventStore,
} from '../storage/index.js';
import { namespaceOf } from './topics.js';

/** Queues each appended event for the transport if the filter allows it, and passes every call on to the inner store. */
export class PublishingEventStoreDecorator extends PassThroughEventStore {
  readonly #outbox: DeferredOutboxChannel;
  readonly #filter: TransportPublishFilter;

  constructor(inner: UnitEventStore, outbox: DeferredOutboxChannel, filter: TransportPublishFilter) {
    super(inner);
    this.#outbox = outbox;
    this.#filter = filter;
  }

  override append(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): void {
    super.append(streamId, envelope, options);
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
}
