import assert from 'node:assert/strict';
import type { Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import { ConcurrencyConflictError, type ProcessStep, type Storage } from '../storage/index.js';
import { commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';

/** Commits an event of an instance. */
async function commitStep(storage: Storage, streamId: Uuid, fields: Partial<ProcessStep> = {}): Promise<void> {
  const named = { streamId, process: 'Checkout', tenant: '', key: 'a', at: 1_000, isIgnored: false, completes: false };
  await storage.commit(commitRecord({ events: [pendingRecord(streamId)], step: { ...named, ...fields } }));
}

/** What the capability `processes` adds: the list of instances. */
export const processCases: readonly StorageCase[] = [
  {
    name: 'counts the events of an instance, and returns it to all hosts',
    async run(open) {
      const [one, other] = [await open(), await open()];
      const streamId = newId();
      const named = { tenant: 'ü', key: '"𝄞" \\' };
      await commitStep(one, streamId, { ...named, at: 1_234 });
      await commitStep(other, streamId, { ...named, at: 2_345, completes: true });
      await commitStep(one, streamId, { ...named, at: 3_456, isIgnored: true });
      assert.deepEqual(await other.processes!.readInstances({ isOpen: false, after: null }, 10), [
        {
          streamId,
          process: 'Checkout',
          ...named,
          events: 2,
          ignored: 1,
          startedAt: 1_234,
          changedAt: 3_456,
          isCompleted: true,
        },
      ]);
    },
  },
  {
    name: 'lists all instances, or the open ones, page by page in the order of their start',
    async run(open) {
      const storage = await open();
      const processes = storage.processes!;
      const same = [newId(), newId()].toSorted();
      const [late, early] = [newId(), newId()];
      await commitStep(storage, late, { at: 3_000 });
      for (const streamId of same) await commitStep(storage, streamId, { at: 2_000 });
      await commitStep(storage, early, { at: 1_000 });
      await commitStep(storage, same[0]!, { at: 4_000, completes: true });
      const read = async (isOpen: boolean, after: Uuid | null, limit: number): Promise<Uuid[]> =>
        (await processes.readInstances({ isOpen, after }, limit)).map(({ streamId }) => streamId);
      assert.deepEqual(await read(false, null, 10), [early, ...same, late]);
      assert.deepEqual(await read(false, null, 2), [early, same[0]]);
      assert.deepEqual(await read(false, same[0]!, 10), [same[1], late]);
      assert.deepEqual(await read(true, null, 10), [early, same[1], late]);
      assert.deepEqual(await read(true, same[0]!, 1), [same[1]]);
      assert.deepEqual(await read(false, newId(), 10), []);
    },
  },
  {
    name: 'commits the event of an instance with everything else of its record, or not at all',
    async run(open) {
      const storage = await open();
      const streamId = newId();
      const step = { streamId, process: 'Checkout', tenant: '', key: 'a', at: 1, isIgnored: false, completes: false };
      const events = [pendingRecord(streamId, { expectedPosition: 7 })];
      await assert.rejects(async () => await storage.commit(commitRecord({ events, step })), ConcurrencyConflictError);
      assert.deepEqual(await storage.processes!.readInstances({ isOpen: false, after: null }, 10), []);
    },
  },
];
