import type { Uuid } from '../../json/index.js';
import {
  comparePlaces,
  isOfSegment,
  positionsOf,
  type EventLog,
  type LogPlace,
  type ModelSource,
  type ParsedRecord,
  type PerspectiveStorage,
  type Segment,
  type SourceKey,
  type SourcePage,
  type StoppedStream,
  type StoredEvent,
  type StoredRecord,
} from '../../storage/index.js';
import { isBeforeStop, type Stop } from './fold-order.js';
import { namesakeOf, scannedPositions } from './has-source.js';
import { modelIdOrNull } from './model-identity.js';
import type { NamedPerspective } from '../perspective.js';
import { UnreadableEvent } from './unreadable-event.js';

/** Reads which events a model has processed, in pages. */
export type ReadSources = (id: string, after: Uuid | null, next: SourceKey | null) => Promise<SourcePage>;

export interface PerspectiveParts {
  readonly log: EventLog;
  readonly storage: PerspectiveStorage;
}

/** Where streams are stopped. Events from there on are not processed. */
export type Stops = ReadonlyMap<Uuid, Stop>;

export function stopsOf(stopped: readonly StoppedStream[]): Stops {
  return new Map(stopped.map((stop) => [stop.streamId, stop]));
}

/** Which events of a model to find. */
export interface WantedEvents {
  /** Only events after this one; null: all. */
  readonly after: Uuid | null;
  /** How many there are: the search continues until they are found. */
  readonly count: number;
  /** Only events up to this place. */
  readonly upTo: LogPlace;
  readonly stops: Stops;
  readonly signal?: AbortSignal | undefined;
}

/** How many records are read at once from the end of a stream. */
const readBackwards = 200;

/** Finds the events that a perspective processes. */
export class ModelEvents {
  readonly #named: NamedPerspective;
  readonly #log: EventLog;
  readonly #readSources: ReadSources;
  readonly #segment: Segment | undefined;
  /** The stored types of the events. */
  readonly types: ReadonlySet<string>;

  /** `segment`: only its events; absent: all. */
  constructor(named: NamedPerspective, log: EventLog, readSources: ReadSources, segment?: Segment) {
    this.#named = named;
    this.#log = log;
    this.#readSources = readSources;
    this.#segment = segment;
    this.types = log.typesOf(named.events);
  }

  /** The events of the serving models, or of a segment of them. */
  static ofServing(named: NamedPerspective, { log, storage }: PerspectiveParts, segment?: Segment): ModelEvents {
    return new ModelEvents(named, log, (id, after, next) => storage.readSources(named.name, id, after, next), segment);
  }

  /** The events among some records that the perspective processes. */
  of(records: readonly (StoredRecord | ParsedRecord)[], stops: Stops): StoredEvent[] {
    const events: StoredEvent[] = [];
    for (const record of records) {
      if (!this.types.has(record.type) || this.#isOfOtherStream(record.streamId)) continue;
      const stop = stops.get(record.streamId);
      if (stop !== undefined && !isBeforeStop(record, stop)) continue;
      const event = this.#log.toEventOr(record, unreadable);
      if (this.#isOwn(event)) events.push(event);
    }
    return events;
  }

  /** Whether the stream alone decides that its events belong to another segment: they need not be read. */
  #isOfOtherStream(streamId: Uuid): boolean {
    if (this.#segment === undefined || this.#named.perspective.keyOf !== undefined) return false;
    return !isOfSegment(streamId, this.#segment);
  }

  /** An event whose model cannot be determined belongs to the segment of its stream, which fails at it. */
  #isOwn(event: StoredEvent): boolean {
    if (this.#segment === undefined || this.#named.perspective.keyOf === undefined) return true;
    return isOfSegment(modelIdOrNull(this.#named, event) ?? event.streamId, this.#segment);
  }

  /** The events of a stream up to a place. */
  async ofStream(streamId: Uuid, upTo: LogPlace, stops: Stops): Promise<StoredEvent[]> {
    const records: StoredRecord[] = [];
    for await (const record of this.#log.readStreamRecords(streamId)) {
      if (comparePlaces(record, upTo) <= 0) records.push(record);
    }
    return this.of(records, stops);
  }

  /**
   * The events of a model: the known ones, and those it has processed before. These are read backwards from the positions stored for the model,
   * and then where no positions are stored, until all are found, so that a late event costs no more in a long stream than in a short one.
   */
  async ofModel(id: string, wanted: WantedEvents, known: readonly StoredEvent[]): Promise<StoredEvent[]> {
    const { perspective } = this.#named;
    const { after, count, signal } = wanted;
    const found = new Map<Uuid, StoredEvent>();
    for (const event of known) if (modelIdOrNull(this.#named, event) === id) found.set(event.envelope.id, event);
    let next: SourceKey | null = null;
    while (found.size < count) {
      signal?.throwIfAborted();
      const page: SourcePage = await this.#readSources(id, after, next);
      for (const [streamId, positions] of positionsByStream(page.sources)) {
        await this.#collect(this.#log.readPositions(streamId, positions), id, wanted, found);
      }
      if (page.next === null) break;
      ({ next } = page);
    }
    if (perspective.keyOf === undefined) await this.#fromStart(id as Uuid, wanted, found);
    else if (found.size < count) await this.#collect(await this.namesake(id, found), id, wanted, found);
    return [...found.values()];
  }

  /** The record of the event whose id is the key of a model, unless it was found before. */
  async namesake(id: string, found: ReadonlyMap<Uuid, StoredEvent>): Promise<readonly StoredRecord[]> {
    const eventId = namesakeOf(id);
    const record = eventId === null || found.has(eventId) ? null : await this.#log.findRecord(eventId);
    return record === null ? [] : [record];
  }

  /** The events of a model in the part of its own stream for which no positions are stored. */
  async #fromStart(streamId: Uuid, wanted: WantedEvents, found: Map<Uuid, StoredEvent>): Promise<void> {
    const log = this.#log;
    let last = Math.min(await log.lastPosition(streamId), scannedPositions - 1);
    while (found.size < wanted.count && last >= 0) {
      const first = Math.max(0, last - readBackwards + 1);
      const positions = Array.from({ length: last - first + 1 }, (_, i) => first + i);
      await this.#collect(log.readPositions(streamId, positions), streamId, wanted, found);
      last = first - 1;
    }
  }

  async #collect(
    records: AsyncIterable<StoredRecord> | readonly StoredRecord[],
    id: string,
    { after, upTo, stops }: WantedEvents,
    found: Map<Uuid, StoredEvent>,
  ): Promise<void> {
    const page: StoredRecord[] = [];
    for await (const record of records) {
      if ((after === null || record.id > after) && comparePlaces(record, upTo) <= 0) page.push(record);
    }
    for (const event of this.of(page, stops)) {
      if (modelIdOrNull(this.#named, event) === id) found.set(event.envelope.id, event);
    }
  }
}

function positionsByStream(sources: readonly ModelSource[]): ReadonlyMap<Uuid, readonly number[]> {
  const streams = new Map<Uuid, Set<number>>();
  for (const source of sources) {
    const positions = streams.get(source.streamId) ?? new Set();
    for (const position of positionsOf(source)) positions.add(position);
    streams.set(source.streamId, positions);
  }
  return new Map([...streams].map(([streamId, positions]) => [streamId, [...positions].toSorted((a, b) => a - b)]));
}

function unreadable(error: unknown): UnreadableEvent {
  return new UnreadableEvent(error);
}
