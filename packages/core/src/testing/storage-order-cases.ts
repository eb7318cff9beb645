import assert from 'node:assert/strict';
import type { Uuid } from '../json/index.js';
import { latestIdKey, newId, SystemEventStream } from '../messages/index.js';
import { LateEventError, type PendingRecord, type Storage } from '../storage/index.js';
import { collect, commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-contract.js';

async function commit(storage: Storage, ...events: readonly PendingRecord[]): Promise<void> {
  await storage.commit(commitRecord({ events }));
}

/** An event from another database, and what it is behind when it comes late. */
function receivedEvent(stream: Uuid, id: Uuid, latest?: Uuid): PendingRecord {
  const metadata = { origin: 'elsewhere', ...(latest !== undefined && { [latestIdKey]: latest }) };
  return pendingRecord(stream, { id, metadata });
}

async function rejectsAsLate(committing: Promise<void>, latest: readonly (readonly [Uuid, Uuid])[]): Promise<void> {
  await assert.rejects(committing, (error) => {
    assert.ok(error instanceof LateEventError, String(error));
    assert.deepEqual(Object.fromEntries(error.latest), Object.fromEntries(latest));
    return true;
  });
}

/** That ids ascend with positions in each stream, whatever the clocks of hosts say. */
export const orderCases: readonly StorageCase[] = [
  {
    name: 'rejects events whose ids are below those of their streams, and names the greatest',
    async run(open) {
      const storage = await open();
      const [a, b, fresh] = [newId(), newId(), newId()];
      const early = [pendingRecord(a), pendingRecord(b), pendingRecord(fresh)];
      const [first, second, third] = [pendingRecord(a), pendingRecord(b), pendingRecord(b)];
      await commit(storage, first, second, third);
      await rejectsAsLate(commit(storage, early[0]!), [[a, first.id]]);
      await rejectsAsLate(commit(storage, ...early), [
        [a, first.id],
        [b, third.id],
      ]);
      assert.equal(await storage.lastPosition(a), 0);
      assert.equal(await storage.lastPosition(fresh), -1);
      await commit(storage, pendingRecord(a), pendingRecord(b), pendingRecord(fresh));
      assert.equal(await storage.lastPosition(b), 2);
    },
  },
  {
    name: 'rejects events whose ids are below that of a message that came from elsewhere',
    async run(open) {
      const storage = await open();
      const [early, stream, message] = [pendingRecord(newId()), newId(), newId()];
      await storage.commit(commitRecord({ events: [receivedEvent(stream, message)], received: [message] }));
      await rejectsAsLate(commit(storage, early), [[early.streamId, message]]);
      await commit(storage, pendingRecord(early.streamId));
      assert.equal(await storage.lastPosition(early.streamId), 0);
    },
  },
  {
    name: 'appends late events from elsewhere once they say what they are behind, and goes on behind that',
    async run(open) {
      const storage = await open();
      const stream = newId();
      const [late, between] = [newId(), pendingRecord(stream)];
      const first = pendingRecord(stream);
      await commit(storage, first);
      await rejectsAsLate(commit(storage, receivedEvent(stream, late)), [[stream, first.id]]);
      await commit(storage, receivedEvent(stream, late, first.id));
      await rejectsAsLate(commit(storage, between), [[stream, first.id]]);
      await commit(storage, pendingRecord(stream));
      const ids = (await collect(storage.readStream(stream))).map(({ id }) => id);
      assert.deepEqual(ids.slice(0, 2), [first.id, late]);
    },
  },
  {
    name: 'does not compare ids without a time, nor those of the system stream',
    async run(open) {
      const storage = await open();
      const stream = newId();
      const timeless = ['ffffffff-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001'] as Uuid[];
      const early = pendingRecord(SystemEventStream.streamId);
      for (const id of timeless) await commit(storage, pendingRecord(stream, { id }));
      await commit(storage, pendingRecord(stream));
      await commit(storage, pendingRecord(SystemEventStream.streamId));
      await commit(storage, early);
      assert.equal(await storage.lastPosition(stream), 2);
      assert.equal(await storage.lastPosition(SystemEventStream.streamId), 1);
    },
  },
];

/** The same for databases, where the answer to a commit can get lost. */
export const lostOrderAnswerCases: readonly StorageCase[] = [
  {
    name: 'knows a record that was committed before, also when its streams have greater ids by now',
    async run(open) {
      const storage = await open();
      const stream = newId();
      const alone = pendingRecord(stream);
      const together = [pendingRecord(stream), pendingRecord(stream)];
      await commit(storage, alone);
      await commit(storage, ...together);
      await commit(storage, pendingRecord(stream));
      await commit(storage, alone);
      await commit(storage, ...together);
      assert.equal(await storage.lastPosition(stream), 3);
    },
  },
];
