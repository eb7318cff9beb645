import { UnitOfWork } from '../../dispatch/index.js';
import type { Uuid } from '../../json/index.js';
import type { MessageEnvelope } from '../../messages/index.js';
import type {
  AppendOptions,
  EventStore,
  EventStoreDecorator,
  GuardedLog,
  StoredEvent,
  StreamStart,
} from '../../storage/index.js';

/** The event store outside of commands: each append is its own unit of work, audited and published like any other. */
export class ServiceEventStore implements EventStore {
  readonly #log: GuardedLog;
  readonly #decorate: EventStoreDecorator | null;

  constructor(log: GuardedLog, decorate: EventStoreDecorator | null) {
    this.#log = log;
    this.#decorate = decorate;
  }

  async append(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): Promise<void> {
    const unitOfWork = new UnitOfWork(this.#log, null, this.#decorate);
    unitOfWork.eventStore.append(streamId, envelope, options);
    await unitOfWork.commit();
  }

  readStream(streamId: Uuid, from?: StreamStart): AsyncIterable<StoredEvent> {
    return this.#log.readStream(streamId, from);
  }

  findEvent(eventId: Uuid): Promise<StoredEvent | null> {
    return this.#log.findEvent(eventId);
  }

  readAll(afterSequence?: number): AsyncIterable<StoredEvent> {
    return this.#log.readAll(afterSequence);
  }

  lastPosition(streamId: Uuid): Promise<number> {
    return this.#log.lastPosition(streamId);
  }
}
