/** Readers that follow the log until a test ends, each in one of the ways in which a storage reads it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Uuid } from '@svc/core';
import type { PostgresStorage } from '@svc/postgres';

/** An event that was read, and the place to resume after it. */
interface Read {
  readonly id: Uuid;
  readonly sequence: number;
}

type ReadAfter = (storage: PostgresStorage, sequence: number) => AsyncIterable<readonly Read[]>;

const smallPage = 7;

export const waysToRead: readonly ReadAfter[] = [
  async function* inLargePages(storage, sequence) {
    yield* storage.replay.readPages(sequence, 1_000);
  },
  async function* inSmallPages(storage, sequence) {
    yield* storage.replay.readPages(sequence, smallPage);
  },
  async function* parsed(storage, sequence) {
    for await (const { records } of storage.replay.readReplayPages(sequence, smallPage, readTypes)) yield records;
  },
  async function* oneByOne(storage, sequence) {
    for await (const event of storage.readAll(sequence)) yield [event];
  },
];

/** All types of events in the test. */
const readTypes = ['test.Appended', 'test.Happened', 'svc.EventAudited'];

export class LogReader {
  /** In the order in which they were read. */
  readonly ids: Uuid[] = [];
  readonly #storage: PostgresStorage;
  readonly #readAfter: ReadAfter;
  #sequence = -1;

  constructor(storage: PostgresStorage, readAfter: ReadAfter) {
    this.#storage = storage;
    this.#readAfter = readAfter;
  }

  /** Reads up to the end of the log, as far as open appends allow it. */
  async read(): Promise<void> {
    for await (const events of this.#readAfter(this.#storage, this.#sequence)) {
      for (const { id, sequence } of events) {
        this.ids.push(id);
        this.#sequence = sequence;
      }
    }
  }

  /** Reads repeatedly, with a pause after each time. */
  async follow(pauseMs: number, until: () => boolean): Promise<void> {
    while (!until()) {
      await this.read();
      await sleep(pauseMs);
    }
  }
}
