import { UnitOfWork } from '../../dispatch/index.js';
import type { Uuid } from '../../json/index.js';
import { tenantOfEvent, type MessageEnvelope } from '../../messages/index.js';
import type {
  AppendOptions,
  EventStore,
  EventStoreDecorator,
  GuardedLog,
  StoredEvent,
  StreamStart,
} from '../../storage/index.js';

/** Finds the log of the current actor. The host can name the tenant of an event. */
export type FindLog = (tenant?: string) => GuardedLog | Promise<GuardedLog>;

/** The event store outside of commands: each append is its own unit of work, audited and published like any other. */
export class ServiceEventStore implements EventStore {
  readonly #logOf: FindLog;
  readonly #decorate: EventStoreDecorator | null;

  constructor(logOf: FindLog, decorate: EventStoreDecorator | null) {
    this.#logOf = logOf;
    this.#decorate = decorate;
  }

  async append(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): Promise<void> {
    const log = this.#logOf(tenantOfEvent(envelope));
    // The event is written at once if possible: the caller may change it afterwards.
    const unitOfWork = new UnitOfWork(log instanceof Promise ? await log : log, null, this.#decorate);
    unitOfWork.eventStore.append(streamId, envelope, options);
    await unitOfWork.commit();
  }

  readStream(streamId: Uuid, from?: StreamStart): AsyncIterable<StoredEvent> {
    return this.#read((log) => log.readStream(streamId, from));
  }

  async findEvent(eventId: Uuid): Promise<StoredEvent | null> {
    const log = await this.#logOf();
    return await log.findEvent(eventId);
  }

  readAll(afterSequence?: number): AsyncIterable<StoredEvent> {
    return this.#read((log) => log.readAll(afterSequence));
  }

  async lastPosition(streamId: Uuid): Promise<number> {
    const log = await this.#logOf();
    return await log.lastPosition(streamId);
  }

  /** Chooses the log now, not while iterating: access is checked for the current actor. */
  #read(read: (log: GuardedLog) => AsyncIterable<StoredEvent>): AsyncIterable<StoredEvent> {
    const log = this.#logOf();
    if (!(log instanceof Promise)) return read(log);
    const reading = log.then(read);
    // Reported when the events are iterated.
    reading.catch(() => {});
    return iterated(reading);
  }
}

async function* iterated(reading: Promise<AsyncIterable<StoredEvent>>): AsyncIterable<StoredEvent> {
  yield* await reading;
}
