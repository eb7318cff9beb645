import type { Uuid } from '../../json/index.js';
import {
  comparePlaces,
  positionsOf,
  type LogPlace,
  type ModelIdentity,
  type ModelSnapshot,
  type SourceKey,
  type SourcePage,
  type StoredEvent,
  type StoredRecord,
} from '../../storage/index.js';
import type { ModelEvents, PerspectiveParts } from '../apply/model-events.js';
import { modelIdOrNull } from '../apply/model-identity.js';
import type { NamedPerspective } from '../perspective.js';

/** How many events of a model are read. */
export const mostPastEvents = 2_000;

/** Where an event is: in the log, and in its stream. */
export interface EventPosition extends LogPlace {
  readonly streamId: Uuid;
  readonly position: number;
}

/** The events of a model, and the snapshot that they follow; null: they are all. */
export interface EventsOfModel {
  readonly events: readonly StoredEvent[];
  readonly snapshot: (ModelSnapshot & { readonly identity: ModelIdentity }) | null;
}

/** Finds the events of a model up to a place in the log, at most `mostPastEvents` of them. */
export class PastEvents {
  readonly #named: NamedPerspective;
  readonly #parts: PerspectiveParts;
  readonly #finder: ModelEvents;

  constructor(named: NamedPerspective, parts: PerspectiveParts, finder: ModelEvents) {
    this.#named = named;
    this.#parts = parts;
    this.#finder = finder;
  }

  /** Null: there are too many. `known`: the event at the place, which the perspective may not have processed yet. */
  async upTo(id: string, at: EventPosition, eventId: Uuid, known: StoredEvent | null): Promise<EventsOfModel | null> {
    const isOwnStream = this.#named.perspective.keyOf === undefined;
    const read = (after: ModelSnapshot | null): Promise<readonly StoredEvent[] | null> =>
      isOwnStream ? this.#ofStream(at, after) : this.#ofSources(id, at, after, known);
    const all = await read(null);
    if (all !== null) return { events: all, snapshot: null };
    const { name } = this.#named;
    const snapshot = await this.#parts.storage.readSnapshot(name, id, eventId);
    const [identity] = snapshot === null ? [] : await this.#parts.storage.readModels(name, [id]);
    if (snapshot === null || identity === undefined) return null;
    const events = await read(snapshot);
    return events === null ? null : { events, snapshot: { ...snapshot, identity } };
  }

  async #ofStream(
    { streamId, position }: EventPosition,
    after: ModelSnapshot | null,
  ): Promise<readonly StoredEvent[] | null> {
    const { log } = this.#parts;
    const from = after === null ? 0 : (await log.positionOf(streamId, after.eventId)) + 1;
    if (position - from >= mostPastEvents) return null;
    const records: StoredRecord[] = [];
    for await (const record of log.readStreamRecords(streamId, from)) {
      if (record.position > position) break;
      records.push(record);
    }
    return this.#finder.of(records, new Map());
  }

  /** The events of all streams that the perspective has processed for the model. */
  async #ofSources(
    id: string,
    at: EventPosition,
    after: ModelSnapshot | null,
    known: StoredEvent | null,
  ): Promise<readonly StoredEvent[] | null> {
    const positions = await this.#positions(id, after?.eventId ?? null);
    if (positions === null) return null;
    const found = new Map<Uuid, StoredEvent>();
    if (known !== null) found.set(known.envelope.id, known);
    const collect = async (all: AsyncIterable<StoredRecord> | readonly StoredRecord[]): Promise<void> => {
      const records: StoredRecord[] = [];
      for await (const record of all) {
        if (comparePlaces(record, at) <= 0 && (after === null || record.id > after.eventId)) records.push(record);
      }
      for (const event of this.#finder.of(records, new Map())) {
        if (modelIdOrNull(this.#named, event) === id) found.set(event.envelope.id, event);
      }
    };
    await collect(await this.#finder.namesake(id, found));
    for (const [streamId, ofStream] of positions) {
      const inOrder = [...ofStream].toSorted((a, b) => a - b);
      await collect(this.#parts.log.readPositions(streamId, inOrder));
    }
    return [...found.values()];
  }

  async #positions(id: string, after: Uuid | null): Promise<ReadonlyMap<Uuid, ReadonlySet<number>> | null> {
    const streams = new Map<Uuid, Set<number>>();
    let count = 0;
    let next: SourceKey | null = null;
    do {
      const page: SourcePage = await this.#parts.storage.readSources(this.#named.name, id, after, next);
      for (const source of page.sources) {
        const positions = positionsOf(source);
        const known = streams.get(source.streamId) ?? new Set();
        for (const position of positions) known.add(position);
        streams.set(source.streamId, known);
        if ((count += positions.length) > mostPastEvents) return null;
      }
      ({ next } = page);
    } while (next !== null);
    return streams;
  }
}
