import { describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import { mostPageBytes } from '../database/page-bytes.js';
import type { StoredRecord } from '../event-record.js';
import { replayOf, type ReplayPage, type StorageReplay } from './replay.js';

const [one, two] = [newId(), newId()];
const types = ['test.One'];
/** How many events are read before other work gets its turn. */
const turn = 1_000;

function stored(sequence: number, fields: Partial<StoredRecord> = {}): StoredRecord {
  const id = newId();
  const message = { timestamp: 0, correlationId: id, causationId: null, scope: null, metadata: {}, body: '{}' };
  return { id, type: 'test.One', streamId: one, position: 0, sequence, ...message, ...fields };
}

/** The events of `test.One` in the stream `one` at even numbers, and of `test.Two` in the stream `two` at odd ones. */
const mixed = (count: number): StoredRecord[] =>
  Array.from({ length: count }, (_, i) => stored(i, i % 2 === 0 ? {} : { type: 'test.Two', streamId: two }));

/** A log that fails when more than `most` events are read. */
function logOf(
  records: readonly StoredRecord[],
  most = Infinity,
): { readAll(after?: number): AsyncIterable<StoredRecord> } {
  return {
    async *readAll(after = -1) {
      let read = 0;
      for (const record of records) {
        if (record.sequence <= after) continue;
        if (++read > most) throw new Error(`More than ${most} events were read.`);
        yield record;
      }
    },
  };
}

async function collect(pages: AsyncIterable<ReplayPage>): Promise<(readonly [number[], number])[]> {
  const collected: (readonly [number[], number])[] = [];
  for await (const { records, upTo } of pages) {
    collected.push([records.map(({ sequence }) => sequence), upTo.sequence]);
  }
  return collected;
}

it('returns the replay of a database that has it', () => {
  const replay: StorageReplay = {
    async *readReplayPages() {},
    countEvents: () => Promise.resolve(0),
    readStreamEnds: () => Promise.resolve([]),
  };
  expect(replayOf({ ...logOf([]), replay })).toBe(replay);
});

describe('a storage without replay', () => {
  it('reads pages of the log, with the events of some types and the place of the last event of each', async () => {
    const replay = replayOf(logOf(mixed(7)));
    expect(await collect(replay.readReplayPages(-1, 3, types))).toEqual([
      [[0, 2], 2],
      [[4], 5],
      [[6], 6],
    ]);
    expect(await collect(replay.readReplayPages(2, 2, types))).toEqual([
      [[4], 4],
      [[6], 6],
    ]);
    expect(await collect(replay.readReplayPages(-1, 10, []))).toEqual([[[], 6]]);
    expect(await collect(replay.readReplayPages(6, 10, types))).toEqual([]);
  });

  it('ends a page with the event that reaches the limit of bytes', async () => {
    const body = 'x'.repeat(mostPageBytes / 2);
    const replay = replayOf(logOf([stored(0, { body }), stored(1, { body }), stored(2)]));
    expect(await collect(replay.readReplayPages(-1, 10, types))).toEqual([
      [[0, 1], 1],
      [[2], 2],
    ]);
  });

  it('counts the events of some types up to a place, including the one at it', async () => {
    const replay = replayOf(logOf(mixed(10)));
    const counts = [-1, 0, 1, 2, 9, 99].map((sequence) => replay.countEvents(types, { sequence }));
    expect(await Promise.all(counts)).toEqual([0, 1, 1, 2, 5, 5]);
    expect(await replay.countEvents(['test.One', 'test.Two'], { sequence: 3 })).toBe(4);
  });

  it('counts by the order of the log where transactions come first', async () => {
    const replay = replayOf(
      logOf([stored(5, { transaction: 1 }), stored(3, { transaction: 2 }), stored(9, { transaction: 3 })]),
    );
    expect(await replay.countEvents(types, { sequence: 3, transaction: 2 })).toBe(2);
    expect(await replay.countEvents(types, { sequence: 5, transaction: 1 })).toBe(1);
  });

  it('reads no event behind the place up to which it counts, except those of the same page', async () => {
    const replay = replayOf(logOf(mixed(2 * turn), turn));
    expect(await replay.countEvents(types, { sequence: turn - 1 })).toBe(turn / 2);
    await expect(replay.countEvents(types, { sequence: turn })).rejects.toThrow('events were read');
  });

  it("finds the place of each stream's last event of some types, in the order of the log", async () => {
    const three = newId();
    const records = [
      stored(8, { transaction: 1, streamId: two }),
      stored(2, { transaction: 2 }),
      stored(3, { transaction: 2, streamId: three }),
      stored(4, { transaction: 2, type: 'test.Two' }),
      stored(1, { transaction: 3, streamId: two }),
    ];
    const replay = replayOf(logOf(records));
    expect(await replay.readStreamEnds(types)).toEqual([
      { sequence: 2, transaction: 2 },
      { sequence: 3, transaction: 2 },
      { sequence: 1, transaction: 3 },
    ]);
    expect(await replay.readStreamEnds(['test.Two'])).toEqual([{ sequence: 4, transaction: 2 }]);
  });

  it('returns places without a transaction for a log without transactions', async () => {
    const [place] = await replayOf(logOf(mixed(3))).readStreamEnds(types);
    expect(Object.entries(place!)).toEqual([['sequence', 2]]);
  });

  it('gives other work its turn after every thousand events', async () => {
    const turns: string[] = [];
    const counting = replayOf(logOf(mixed(2 * turn + 1))).countEvents(types, { sequence: 3 * turn });
    const other = (left: number): void => {
      turns.push('other');
      if (left > 1) setImmediate(other, left - 1);
    };
    setImmediate(other, 2);
    await counting.then(() => turns.push('counted'));
    expect(turns).toEqual(['other', 'other', 'counted']);
  });

  it.each<[string, (replay: StorageReplay, signal: AbortSignal) => Promise<unknown>]>([
    ['counting', (replay, signal) => replay.countEvents(types, { sequence: 9_999 }, signal)],
    ['searching', (replay, signal) => replay.readStreamEnds(types, signal)],
  ])('stops %s when the caller aborts', async (_name, read) => {
    const controller = new AbortController();
    const ids = new Set<Uuid>();
    const log = logOf(mixed(5 * turn));
    const replay = replayOf({
      async *readAll(after) {
        for await (const record of log.readAll(after)) {
          if (ids.add(record.id).size === turn + 1) controller.abort(new Error('enough'));
          yield record;
        }
      },
    });
    await expect(read(replay, controller.signal)).rejects.toThrow('enough');
    expect(ids.size).toBe(2 * turn);
  });
});
