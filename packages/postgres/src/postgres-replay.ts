import type { LogPlace, ReplayPage, StorageReplay, StoredRecord } from '@svc/core/storage';
import { readAllEvents, readEventsOfTypes } from './all-events.js';
import { countEvents, readStreamEnds } from './event-counts.js';
import type { Settings } from './options.js';
import { ReadingGate } from './reading-gate.js';
import type { Reader } from './reader.js';

/** The capability `replay`: pages of the log, parsed and counted by the database. */
export class PostgresReplay implements StorageReplay {
  readonly #reader: Reader;
  readonly #open: () => Promise<void>;
  readonly #settings: Settings;
  readonly #readingGate: ReadingGate;

  constructor(reader: Reader, open: () => Promise<void>, settings: Settings) {
    this.#reader = reader;
    this.#open = open;
    this.#settings = settings;
    this.#readingGate = new ReadingGate(reader);
  }

  async *readPages(afterSequence: number, size: number): AsyncIterable<readonly StoredRecord[]> {
    await this.#open();
    yield* readAllEvents(this.#reader, this.#readingGate, afterSequence, size, this.#settings);
  }

  async *readReplayPages(afterSequence: number, size: number, types: readonly string[]): AsyncIterable<ReplayPage> {
    await this.#open();
    yield* readEventsOfTypes(this.#reader, this.#readingGate, afterSequence, size, types, this.#settings);
  }

  async countEvents(types: readonly string[], upTo: LogPlace): Promise<number> {
    await this.#open();
    return await countEvents(this.#reader, types, upTo);
  }

  async readStreamEnds(types: readonly string[]): Promise<readonly LogPlace[]> {
    await this.#open();
    return await readStreamEnds(this.#reader, types);
  }
}
