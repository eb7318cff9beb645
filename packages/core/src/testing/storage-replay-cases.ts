import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import {
  comparePlaces,
  replayOf,
  type ParsedRecord,
  type ReplayPage,
  type Storage,
  type StorageReplay,
  type StoredRecord,
} from '../storage/index.js';
import { collect, commitRecord, pendingRecord, randomText } from './records.js';
import type { OpenStorage, StorageCase } from './storage-case.js';

async function opened(open: OpenStorage): Promise<{ storage: Storage; replay: StorageReplay }> {
  const storage = await open();
  return { storage, replay: replayOf(storage) };
}

/** A record with its body parsed. */
function parsed(record: StoredRecord | ParsedRecord): ParsedRecord {
  if (!('body' in record)) return { ...record };
  const { body, ...rest } = record;
  return { ...rest, content: JSON.parse(body) as unknown };
}

/** What the capability `replay` adds. Storages without it are read by `readAll`, with the same results. */
export const replayCases: readonly StorageCase[] = [
  {
    name: 'counts events and finds the ends of streams with the same results as single reads',
    async run(open) {
      const { storage, replay } = await opened(open);
      const streams = [newId(), newId(), newId()];
      for (let i = 0; i < 24; i++) {
        const type = i % 4 === 0 ? 'test.Other' : i % 2 === 0 ? 'test.One' : 'test.Two';
        await storage.commit(commitRecord({ events: [pendingRecord(streams[i % 3]!, { type })] }));
      }
      const all = await collect(storage.readAll());
      const types = ['test.One', 'test.Two'];
      const wanted = all.filter(({ type }) => types.includes(type));
      const upTo = wanted[7]!;
      assert.equal(await replay.countEvents(types, upTo), 8);
      assert.equal(await replay.countEvents(['test.None'], upTo), 0);
      const ends = streams.map((streamId) => wanted.findLast((event) => event.streamId === streamId)!);
      assert.deepEqual(
        (await replay.readStreamEnds(types)).map(({ sequence }) => sequence),
        ends.toSorted(comparePlaces).map(({ sequence }) => sequence),
      );
      assert.deepEqual(await replay.readStreamEnds(['test.None']), []);
    },
  },
  {
    name: 'selects events of given types from the log, and returns the place it has reached',
    async run(open) {
      const { storage, replay } = await opened(open);
      const stream = newId();
      const odd = { nul: 'a\u0000b', half: '\ud800', quote: '"\\]', emoji: '😀', line: '\u2028', array: '],[1,2]' };
      for (let i = 0; i < 12; i++) {
        const type = i % 3 === 2 ? 'test."Other"' : i % 2 === 0 ? 'test.One' : 'test.Two';
        const scope = i % 4 === 0 ? { tenantId: 't,"', userId: null } : null;
        const causationId = i % 2 === 0 ? newId() : null;
        const body = JSON.stringify(i === 4 ? 'x'.repeat(3_000_000) : i === 5 ? [12.5, null] : { i, ...odd });
        const event = pendingRecord(stream, { type, scope, causationId, body, timestamp: 1_700_000_000_000 + i });
        await storage.commit(commitRecord({ events: [{ ...event, metadata: i === 3 ? { schemaVersion: 2 } : {} }] }));
      }
      const all = await collect(storage.readAll());
      for (const types of [['test.Two', 'test.One'], ['test."Other"'], ['test.None']]) {
        for (const [behind, size] of [
          [0, 1],
          [3, 5],
          [1, 1_000],
        ] as const) {
          const pages: ReplayPage[] = await collect(replay.readReplayPages(all[behind]!.sequence, size, types));
          const wanted = all.slice(behind + 1).filter(({ type }) => types.includes(type));
          assert.deepEqual(
            pages.flatMap(({ records }) => records.map(parsed)),
            wanted.map(parsed),
          );
          assert.equal(comparePlaces(pages.at(-1)!.upTo, all.at(-1)!), 0);
          assert.ok(pages.every(({ records }) => records.length <= size));
          assert.ok(pages.every(({ upTo }, i) => i === 0 || comparePlaces(pages[i - 1]!.upTo, upTo) < 0));
        }
        assert.deepEqual(await collect(replay.readReplayPages(all.at(-1)!.sequence, 5, types)), []);
      }
    },
  },
  {
    name: 'selects events of any size, fewer at once if they are large',
    async run(open) {
      const { storage, replay } = await opened(open);
      const body = JSON.stringify('x'.repeat(1_000_000));
      await storage.commit(commitRecord({ events: Array.from({ length: 7 }, () => pendingRecord(newId(), { body })) }));
      const pages = await collect(replay.readReplayPages(-1, 1_000, ['test.Happened']));
      assert.equal(pages.flatMap(({ records }) => records).length, 7);
      assert.ok(pages.every(({ records }) => records.length <= 5));
    },
  },
  {
    name: 'selects large and small events in pages, each once',
    async run(open) {
      const { storage, replay } = await opened(open);
      const bodies = [randomText(), 'x'.repeat(1_000_000), 'small'].map((text) => JSON.stringify(text));
      const events = Array.from({ length: 7 }, (_, i) => pendingRecord(newId(), { body: bodies[i % 3]! }));
      await storage.commit(commitRecord({ events }));
      const pages = await collect(replay.readReplayPages(-1, 1_000, ['test.Happened']));
      const contents = pages.map(({ records }) => records.map((record) => JSON.stringify(parsed(record).content)));
      assert.deepEqual(
        contents.flat(),
        events.map(({ body }) => body),
      );
      assert.ok(contents.every((page) => page.filter((text) => text.length > 1_000).length <= 5));
    },
  },
  {
    name: 'ends at the last event, while others append',
    async run(open) {
      const { storage, replay } = await opened(open);
      const append = async (): Promise<void> =>
        await storage.commit(commitRecord({ events: [pendingRecord(newId()), pendingRecord(newId())] }));
      await append();
      let events = 0;
      for await (const { records } of replay.readReplayPages(-1, 10, ['test.Happened'])) {
        events += records.length;
        assert.ok(events < 100, 'the events that are appended while it reads never end');
        await append();
      }
    },
  },
];
