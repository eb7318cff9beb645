import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import { IdempotencyKeyInUseError, type CommitRecord, type IdempotencyRecord } from '../storage/index.js';
import { collect, commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';
import { outgoingRecord } from './storage-outbox-cases.js';

const digits = (): string => `${newId()}${newId()}`.replaceAll('-', '');
const forLong = 60_000;

function idempotencyRecord(fields: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return { id: digits(), requestHash: digits(), messageId: newId(), result: '{ "id": 1.50 }', ...fields };
}

const isInUse = (error: unknown): boolean => error instanceof IdempotencyKeyInUseError;

/** Results that are stored under idempotency keys. */
export const idempotencyCases: readonly StorageCase[] = [
  {
    name: 'stores a result under its key in the same transaction as its record, unchanged',
    async run(open) {
      const storage = await open();
      const stream = newId();
      const idempotency = idempotencyRecord();
      assert.equal(await storage.findIdempotent(idempotency.id, forLong), null);
      const events = [pendingRecord(stream), pendingRecord(stream)];
      await storage.commit(commitRecord({ events, outgoing: [outgoingRecord({})], idempotency }));
      const lastEventId = (await collect(storage.readStream(stream))).at(-1)!.id;
      assert.deepEqual(await storage.findIdempotent(idempotency.id, forLong), { ...idempotency, lastEventId });
      assert.equal(await storage.lastPosition(stream), 1);
      const alone = idempotencyRecord({ result: 'null' });
      await storage.commit(commitRecord({ idempotency: alone }));
      assert.deepEqual(await storage.findIdempotent(alone.id, forLong), { ...alone, lastEventId: null });
    },
  },
  {
    name: 'stores no result of a rejected record',
    async run(open) {
      const storage = await open();
      const idempotency = idempotencyRecord();
      const events = [pendingRecord(newId(), { expectedPosition: 7 })];
      await assert.rejects(async () => await storage.commit(commitRecord({ events, idempotency })));
      assert.equal(await storage.findIdempotent(idempotency.id, forLong), null);
    },
  },
  {
    name: 'commits one of many records with the same key, and nothing of the others',
    async run(open) {
      const storages = [await open(), await open()];
      const key = digits();
      const stream = newId();
      const records = Array.from({ length: 20 }, (_, i): CommitRecord => {
        // Some also conflict in their stream: the key takes precedence.
        const expectedPosition = i % 2 === 0 ? -1 : undefined;
        const events = i % 5 === 4 ? [] : [pendingRecord(stream, { expectedPosition })];
        return commitRecord({ events, outgoing: [outgoingRecord({})], idempotency: idempotencyRecord({ id: key }) });
      });
      const settled = await Promise.allSettled(records.map(async (record, i) => await storages[i % 2]!.commit(record)));
      assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const result of settled)
        if (result.status === 'rejected') assert.ok(isInUse(result.reason), String(result.reason));
      const stored = records[settled.findIndex(({ status }) => status === 'fulfilled')]!;
      const lastEventId = stored.events[0]?.id ?? null;
      assert.deepEqual(await storages[0]!.findIdempotent(key, forLong), { ...stored.idempotency, lastEventId });
      assert.deepEqual(
        (await collect(storages[0]!.readAll())).map(({ id }) => id),
        stored.events.map(({ id }) => id),
      );
      // Only one of two storages delivers at a time.
      const waiting = await Promise.all(storages.map((storage) => storage.readOutgoing('system', 50)));
      assert.deepEqual(
        [...new Set(waiting.flat().map(({ id }) => id))],
        stored.outgoing.map(({ id }) => id),
      );
      await assert.rejects(
        async () => await storages[1]!.commit(commitRecord({ idempotency: idempotencyRecord({ id: key }) })),
        isInUse,
      );
    },
  },
  {
    name: 'does not return an expired result, and accepts its key again',
    async run(open) {
      const storage = await open();
      const idempotency = idempotencyRecord();
      await storage.commit(commitRecord({ idempotency }));
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.equal(await storage.findIdempotent(idempotency.id, 1), null);
      const again = idempotencyRecord({ id: idempotency.id, result: '2' });
      await storage.commit(commitRecord({ idempotency: again }));
      assert.deepEqual(await storage.findIdempotent(idempotency.id, forLong), { ...again, lastEventId: null });
    },
  },
];

/** Records that expire. */
export const expiryCases: readonly StorageCase[] = [
  {
    name: 'deletes only expired records, in batches, on one host at a time',
    async run(open) {
      const [storage, other] = [await open(), await open()];
      const received = Array.from({ length: 5 }, () => newId());
      const keys = Array.from({ length: 3 }, () => idempotencyRecord());
      await storage.commit(commitRecord({ received }));
      for (const idempotency of keys) await storage.commit(commitRecord({ idempotency }));
      await new Promise((resolve) => setTimeout(resolve, 10));
      const [old, young] = [1, forLong];
      assert.equal(
        await storage.forgetExpired({ receivedMs: young, idempotencyKeysMs: young, operationsMs: young }, 10),
        0,
      );
      assert.equal(
        await storage.forgetExpired({ receivedMs: old, idempotencyKeysMs: young, operationsMs: young }, 2),
        2,
      );
      assert.equal(await storage.forgetExpired({ receivedMs: old, idempotencyKeysMs: old, operationsMs: young }, 2), 4);
      for (const { id } of keys.slice(0, 2)) assert.equal(await storage.findIdempotent(id, forLong), null);
      assert.notEqual(await storage.findIdempotent(keys[2]!.id, forLong), null);
      await storage.commit(commitRecord({ received: [received[0]!] }));
      await assert.rejects(async () => await storage.commit(commitRecord({ received: [received[4]!] })));
      const both = [storage, other].map(
        async (one) => await one.forgetExpired({ receivedMs: old, idempotencyKeysMs: young, operationsMs: young }, 10),
      );
      const forgotten = (await Promise.all(both)).reduce((sum, some) => sum + some, 0);
      assert.ok(
        forgotten === 1 || forgotten === 2,
        `the one that is old, and perhaps the one of a moment ago: ${forgotten}`,
      );
    },
  },
];

/** What the capability `connection` adds for idempotency keys: a record that is committed again is recognized. */
export const lostKeyCases: readonly StorageCase[] = [
  {
    name: 'commits a record under its key once, however often it is committed, with or without events',
    async run(open) {
      const storage = await open();
      const stream = newId();
      for (const events of [[], [pendingRecord(stream)]]) {
        const record = commitRecord({ events, idempotency: idempotencyRecord() });
        await storage.commit(record);
        await storage.commit(record);
        await Promise.all([storage.commit(record), storage.commit(record)]);
        const lastEventId = events[0]?.id ?? null;
        const stored = await storage.findIdempotent(record.idempotency!.id, forLong);
        assert.deepEqual(stored, { ...record.idempotency, lastEventId });
      }
      assert.equal((await collect(storage.readAll())).length, 1);
    },
  },
];
