import type { Uuid } from '@svc/core';
import type { LogPage, LogPlace, ReplayPage, StorageReplay, StoredRecord } from '@svc/core/storage';
import { readAllEvents, readEventsOfTypes, type ReadableLog } from './all-events.js';
import { countEvents, readStreamEnds } from './event-counts.js';
import { readLogPages } from './log-pages.js';
import type { KnownEvents } from './known-events.js';
import type { Settings } from './options.js';
import { ReadingGate } from './reading-gate.js';
import type { BodyReaders } from './large-bodies.js';
import type { Reader } from './reader.js';

/** The capability `replay`: pages of the log, parsed and counted by the database. */
export class PostgresReplay implements StorageReplay {
  readonly #reader: Reader;
  readonly #open: () => Promise<void>;
  readonly #log: ReadableLog;
  readonly #known: KnownEvents;

  constructor({ reader, archived }: BodyReaders, open: () => Promise<void>, settings: Settings, known: KnownEvents) {
    this.#reader = reader;
    this.#open = open;
    this.#log = { reader, archived, readingGate: new ReadingGate(reader), settings };
    this.#known = known;
  }

  /** All events as they are stored, in pages that are not empty. */
  async *readPages(afterSequence: number, size: number): AsyncIterable<readonly StoredRecord[]> {
    await this.#open();
    for await (const page of readAllEvents(this.#log, afterSequence, size)) {
      this.#read(page);
      yield page;
    }
  }

  /** The same to digest them. */
  async *readLogPages(afterSequence: number, size: number): AsyncIterable<LogPage> {
    await this.#open();
    yield* readLogPages(this.#log, afterSequence, size);
  }

  async *readReplayPages(afterSequence: number, size: number, types: readonly string[]): AsyncIterable<ReplayPage> {
    await this.#open();
    for await (const page of readEventsOfTypes(this.#log, afterSequence, size, types)) {
      this.#read(page.records);
      yield page;
    }
  }

  async countEvents(types: readonly string[], upTo: LogPlace): Promise<number> {
    await this.#open();
    return await countEvents(this.#reader, types, upTo);
  }

  async readStreamEnds(types: readonly string[]): Promise<readonly LogPlace[]> {
    await this.#open();
    return await readStreamEnds(this.#reader, types);
  }

  /** Remembers the last event, which must not be missing later. */
  #read(records: readonly { readonly id: Uuid }[]): void {
    const last = records.at(-1);
    if (last !== undefined) this.#known.read(last.id);
  }
}
