import type { Uuid } from '../json/index.js';
import {
  comparePlaces,
  type EventLog,
  type LogPlace,
  type PerspectiveStorage,
  type StoppedStream,
  type StoredEvent,
  type StoredRecord,
} from '../storage/index.js';
import { keyOrNull } from './apply-batch.js';
import type { NamedPerspective } from './perspective.js';
import { UnreadableEvent } from './unreadable-event.js';

export interface PerspectiveParts {
  readonly log: EventLog;
  readonly storage: PerspectiveStorage;
}

/** Where streams are stopped: what is there and behind it is left alone. */
export type Stops = ReadonlyMap<Uuid, Uuid>;

export function stopsOf(stopped: readonly StoppedStream[]): Stops {
  return new Map(stopped.map(({ streamId, eventId }) => [streamId, eventId]));
}

/** Finds the events that a perspective is made of. */
export class ModelEvents {
  readonly #named: NamedPerspective;
  readonly #parts: PerspectiveParts;
  readonly #types: ReadonlySet<string>;

  constructor(named: NamedPerspective, parts: PerspectiveParts) {
    this.#named = named;
    this.#parts = parts;
    this.#types = parts.log.typesOf(named.events);
  }

  isWanted({ type }: StoredRecord): boolean {
    return this.#types.has(type);
  }

  /** Those of some records that it takes. */
  of(records: readonly StoredRecord[], stops: Stops): StoredEvent[] {
    return records
      .filter((record) => this.isWanted(record) && isBefore(record, stops.get(record.streamId)))
      .map((record) => this.#parts.log.toEventOr(record, (error) => new UnreadableEvent(error)));
  }

  /** The events of a stream up to a place. */
  async ofStream(streamId: Uuid, upTo: LogPlace, stops: Stops): Promise<StoredEvent[]> {
    const records: StoredRecord[] = [];
    for await (const record of this.#parts.log.readStreamRecords(streamId)) {
      if (comparePlaces(record, upTo) <= 0) records.push(record);
    }
    return this.of(records, stops);
  }

  /** The events of a model behind one of them (null: all), up to a place; `more` are streams it may have since. */
  async ofModel(
    key: string,
    after: Uuid | null,
    upTo: LogPlace,
    stops: Stops,
    more: readonly Uuid[],
  ): Promise<StoredEvent[]> {
    const streams = new Set([...(await this.#parts.storage.readSources(this.#named.name, key, after)), ...more]);
    const events: StoredEvent[] = [];
    for (const streamId of streams) events.push(...(await this.ofStream(streamId, upTo, stops)));
    return events.filter(
      (event) => (after === null || event.envelope.id > after) && keyOrNull(this.#named, event) === key,
    );
  }
}

function isBefore({ id }: StoredRecord, stop: Uuid | undefined): boolean {
  return stop === undefined || id < stop;
}
