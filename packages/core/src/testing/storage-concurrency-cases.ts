import assert from 'node:assert/strict';
import type { Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import { ConcurrencyConflictError, LateEventError, type Storage } from '../storage/index.js';
import { collect, commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';

const commit = async (storage: Storage, streamId: Uuid, expectedPosition?: number): Promise<void> =>
  await storage.commit(commitRecord({ events: [pendingRecord(streamId, { expectedPosition })] }));

/** Concurrent writes. */
export const concurrencyCases: readonly StorageCase[] = [
  {
    name: 'commits exactly one of many concurrent appends that expect the same position',
    async run(open) {
      const storages = [await open(), await open()];
      const stream = newId();
      const attempts = Array.from({ length: 40 }, (_, i) => commit(storages[i % 2]!, stream, -1));
      const settled = await Promise.allSettled(attempts);
      const lost = settled.filter((result) => result.status === 'rejected');
      assert.equal(lost.length, 39);
      for (const { reason } of lost) {
        assert.ok(reason instanceof ConcurrencyConflictError && reason.actualPosition === 0, String(reason));
      }
      assert.equal((await collect(storages[0]!.readAll())).length, 1);
    },
  },
  {
    name: 'commits or rejects each of many concurrent records independently',
    async run(open) {
      const storage = await open();
      const existing = newId();
      await commit(storage, existing);
      const streams = Array.from({ length: 100 }, () => newId());
      const settled = await Promise.allSettled(
        streams.map(async (stream, i) => {
          const conflicting = i % 3 === 0 ? [pendingRecord(existing, { expectedPosition: 99 })] : [];
          await storage.commit(commitRecord({ events: [pendingRecord(stream), ...conflicting] }));
        }),
      );
      assert.deepEqual(
        settled.map(({ status }) => status),
        streams.map((_, i) => (i % 3 === 0 ? 'rejected' : 'fulfilled')),
      );
      for (const [i, stream] of streams.entries())
        assert.equal(await storage.lastPosition(stream), i % 3 === 0 ? -1 : 0);
      assert.equal(await storage.lastPosition(existing), 0);
    },
  },
  {
    name: 'assigns positions in the order in which the records of a stream were committed',
    async run(open) {
      const storage = await open();
      const stream = newId();
      const events = Array.from({ length: 60 }, () => pendingRecord(stream));
      await Promise.all(
        events.map(async (event, i) => {
          const other = pendingRecord(newId());
          await storage.commit(commitRecord({ events: i % 2 === 0 ? [event, other] : [other, event] }));
        }),
      );
      const ids = events.map(({ id }) => id);
      assert.deepEqual(
        (await collect(storage.readStream(stream))).map(({ id }) => id),
        ids,
      );
      const all = await collect(storage.readAll());
      assert.equal(all.length, 120);
      assert.deepEqual(
        all.filter(({ streamId }) => streamId === stream).map(({ id }) => id),
        ids,
      );
    },
  },
  {
    name: 'stores all events that two hosts append to one stream concurrently',
    async run(open) {
      const storages = [await open(), await open()];
      const stream = newId();
      await Promise.all(Array.from({ length: 40 }, (_, i) => commitInOrder(storages[i % 2]!, stream)));
      const stored = await collect(storages[0]!.readStream(stream));
      const ids = stored.map(({ id }) => id);
      assert.deepEqual(ids, ids.toSorted());
      assert.deepEqual(
        stored.map(({ position }) => position),
        Array.from({ length: 40 }, (_, i) => i),
      );
    },
  },
  {
    name: 'rejects a record that cannot be serialized as JSON, and commits the records next to it',
    async run(open) {
      const storage = await open();
      const unwritable = pendingRecord(newId(), { metadata: { total: 1n } });
      const events = Array.from({ length: 10 }, (_, i) => (i === 5 ? unwritable : pendingRecord(newId())));
      const others = events.map(() => pendingRecord(newId()));
      const settled = await Promise.allSettled(
        events.map(async (event, i) => await storage.commit(commitRecord({ events: [others[i]!, event] }))),
      );
      for (const [i, event] of events.entries()) {
        const result = settled[i]!;
        const isRefused = result.status === 'rejected' && result.reason instanceof TypeError;
        assert.equal(isRefused, event === unwritable, JSON.stringify(result));
        for (const { streamId } of [event, others[i]!]) {
          assert.equal(await storage.lastPosition(streamId), isRefused ? -1 : 0);
        }
      }
    },
  },
];

/** Retries with a new id if another event was faster, as the event log does. */
async function commitInOrder(storage: Storage, stream: Uuid): Promise<void> {
  for (;;) {
    try {
      return await commit(storage, stream);
    } catch (error) {
      if (!(error instanceof LateEventError)) throw error;
    }
  }
}
