import type { Uuid } from '../json/index.js';
import {
  comparePlaces,
  type EventLog,
  type LogPlace,
  type ParsedRecord,
  type PerspectiveStorage,
  type StoppedStream,
  type StoredEvent,
  type StoredRecord,
} from '../storage/index.js';
import { isBeforeStop, type Stop } from './fold-order.js';
import { modelIdOrNull } from './model-identity.js';
import type { NamedPerspective } from './perspective.js';
import { UnreadableEvent } from './unreadable-event.js';

/** Where the events are, and which streams have those of a model. */
interface EventSources {
  readonly log: EventLog;
  readonly storage: Pick<PerspectiveStorage, 'readSources'>;
}

export interface PerspectiveParts {
  readonly log: EventLog;
  readonly storage: PerspectiveStorage;
}

/** Where streams are stopped: what is there and behind it is left alone. */
export type Stops = ReadonlyMap<Uuid, Stop>;

export function stopsOf(stopped: readonly StoppedStream[]): Stops {
  return new Map(stopped.map((stop) => [stop.streamId, stop]));
}

/** How many records are read at once from the end of a stream. */
const readBackwards = 200;

/** Finds the events that a perspective is made of. */
export class ModelEvents {
  readonly #named: NamedPerspective;
  readonly #parts: EventSources;
  /** What the events are kept as. */
  readonly types: ReadonlySet<string>;

  constructor(named: NamedPerspective, parts: EventSources) {
    this.#named = named;
    this.#parts = parts;
    this.types = parts.log.typesOf(named.events);
  }

  /** Those of some records that it takes. */
  of(records: readonly (StoredRecord | ParsedRecord)[], stops: Stops): StoredEvent[] {
    const events: StoredEvent[] = [];
    for (const record of records) {
      if (!this.types.has(record.type)) continue;
      const stop = stops.get(record.streamId);
      if (stop !== undefined && !isBeforeStop(record, stop)) continue;
      events.push(this.#parts.log.toEventOr(record, unreadable));
    }
    return events;
  }

  /** The events of a stream up to a place. */
  async ofStream(streamId: Uuid, upTo: LogPlace, stops: Stops): Promise<StoredEvent[]> {
    const records: StoredRecord[] = [];
    for await (const record of this.#parts.log.readStreamRecords(streamId)) {
      if (comparePlaces(record, upTo) <= 0) records.push(record);
    }
    return this.of(records, stops);
  }

  /**
   * The events of a stream behind one of them and up to a place, when it is known how many there are: read from the end of the
   * stream, so that a late event costs no more in a long stream than in a short one.
   */
  async newestOfStream(
    streamId: Uuid,
    after: Uuid,
    count: number,
    upTo: LogPlace,
    stops: Stops,
  ): Promise<StoredEvent[]> {
    const { log } = this.#parts;
    const found: StoredEvent[] = [];
    let last = await log.lastPosition(streamId);
    while (found.length < count && last >= 0) {
      const first = Math.max(0, last - readBackwards + 1);
      const page: StoredRecord[] = [];
      for await (const record of log.readStreamRecords(streamId, first)) {
        if (record.position > last) break;
        if (record.id > after && comparePlaces(record, upTo) <= 0) page.push(record);
      }
      found.push(...this.of(page, stops).filter((event) => modelIdOrNull(this.#named, event) === streamId));
      last = first - 1;
    }
    return found;
  }

  /** The events of a model behind one of them (null: all), up to a place; `more` are streams it may have since. */
  async ofModel(
    id: string,
    after: Uuid | null,
    upTo: LogPlace,
    stops: Stops,
    more: readonly Uuid[],
    signal?: AbortSignal,
  ): Promise<StoredEvent[]> {
    const streams = await this.#streamsOf(id, after, more);
    const events: StoredEvent[] = [];
    for (const streamId of streams) {
      signal?.throwIfAborted();
      events.push(...(await this.ofStream(streamId, upTo, stops)));
    }
    return events.filter(
      (event) => (after === null || event.envelope.id > after) && modelIdOrNull(this.#named, event) === id,
    );
  }

  async #streamsOf(id: string, after: Uuid | null, more: readonly Uuid[]): Promise<Iterable<Uuid>> {
    const { name, perspective } = this.#named;
    if (perspective.keyOf === undefined) return [id as Uuid];
    return new Set([...(await this.#parts.storage.readSources(name, id, after)), ...more]);
  }
}

function unreadable(error: unknown): UnreadableEvent {
  return new UnreadableEvent(error);
}
