import { nextTurn } from '../../background/index.js';
import type { Uuid } from '../../json/index.js';
import { pagesOf } from '../database/page-bytes.js';
import type { ParsedRecord, StoredRecord } from '../event-record.js';
import { comparePlaces, type LogPlace } from '../log-place.js';

/** The events of some types out of one page of the log, and the place up to which the page was read. */
export interface ReplayPage {
  readonly records: readonly (StoredRecord | ParsedRecord)[];
  readonly upTo: LogPlace;
}

/** The capability `replay`: the database selects and counts the events of some types. */
export interface StorageReplay {
  /**
   * The events of some types after a place, in the order of `readAll`. A page has at most `pageSize` of them, fewer when they are large or when
   * many other events are between them. A page without any of them is not the end of the log.
   */
  readReplayPages(afterSequence: number, pageSize: number, types: readonly string[]): AsyncIterable<ReplayPage>;
  /** How many events of some types there are up to a place. A storage may ignore the signal; the caller then stops waiting. */
  countEvents(types: readonly string[], upTo: LogPlace, signal?: AbortSignal): Promise<number>;
  /** The place of each stream's last event of some types, in the order of `readAll`. */
  readStreamEnds(types: readonly string[], signal?: AbortSignal): Promise<readonly LogPlace[]>;
}

/** The part of a storage that a replay needs. */
interface Replayable {
  readonly replay?: StorageReplay;
  readAll(afterSequence?: number): AsyncIterable<StoredRecord>;
}

/** The capability of a storage; without it, `readAll` supplies the same results. */
export function replayOf(storage: Replayable): StorageReplay {
  return storage.replay ?? new ReplayByReading(storage);
}

/** How many events are read before other work gets its turn. */
const eventsPerTurn = 1_000;

class ReplayByReading implements StorageReplay {
  readonly #storage: Replayable;

  constructor(storage: Replayable) {
    this.#storage = storage;
  }

  async *readReplayPages(afterSequence: number, pageSize: number, types: readonly string[]): AsyncIterable<ReplayPage> {
    const wanted = new Set(types);
    for await (const page of pagesOf(this.#storage.readAll(afterSequence), pageSize, ({ body }) => body.length)) {
      yield { records: page.filter(({ type }) => wanted.has(type)), upTo: page.at(-1)! };
    }
  }

  async countEvents(types: readonly string[], upTo: LogPlace, signal?: AbortSignal): Promise<number> {
    let count = 0;
    for await (const { records, upTo: read } of this.#readInTurns(types, signal)) {
      count += records.filter((record) => comparePlaces(record, upTo) <= 0).length;
      if (comparePlaces(read, upTo) >= 0) break;
    }
    return count;
  }

  async readStreamEnds(types: readonly string[], signal?: AbortSignal): Promise<readonly LogPlace[]> {
    const ends = new Map<Uuid, LogPlace>();
    for await (const { records } of this.#readInTurns(types, signal)) {
      for (const { streamId, sequence, transaction } of records) {
        ends.set(streamId, { sequence, ...(transaction !== undefined && { transaction }) });
      }
    }
    return [...ends.values()].toSorted(comparePlaces);
  }

  async *#readInTurns(types: readonly string[], signal: AbortSignal | undefined): AsyncIterable<ReplayPage> {
    for await (const page of this.readReplayPages(-1, eventsPerTurn, types)) {
      await nextTurn();
      signal?.throwIfAborted();
      yield page;
    }
  }
}
