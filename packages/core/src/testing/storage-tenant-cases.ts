import assert from 'node:assert/strict';
import type { Uuid } from '../json/index.js';
import { newId, streamTenantKey } from '../messages/index.js';
import { ForeignStreamError, type PendingRecord, type Storage } from '../storage/index.js';
import { commitRecord, pendingRecord, type EventFields } from './records.js';
import type { StorageCase } from './storage-case.js';

/** An event of a tenant ('' for none) for a stream that must belong to that tenant. */
function eventOf(tenant: string, streamId: Uuid, fields: EventFields = {}): PendingRecord {
  return pendingRecord(streamId, { sameTenant: true, scope: tenant === '' ? null : { tenantId: tenant }, ...fields });
}

async function commit(storage: Storage, ...events: readonly PendingRecord[]): Promise<void> {
  await storage.commit(commitRecord({ events }));
}

async function rejectsAsForeign(streamId: Uuid, committing: Promise<void>): Promise<void> {
  await assert.rejects(committing, (error) => error instanceof ForeignStreamError && error.streamId === streamId);
}

/** Events whose stream must belong to their tenant. */
export const tenantCases: readonly StorageCase[] = [
  {
    name: 'appends to a stream for the tenant of its first event',
    async run(open) {
      const storage = await open();
      for (const tenant of ['acme', '']) {
        const stream = newId();
        await commit(storage, eventOf(tenant, stream, { expectedPosition: -1 }));
        await commit(storage, eventOf(tenant, stream), eventOf(tenant, stream));
        assert.equal(await storage.lastPosition(stream), 2);
        assert.equal(await storage.tenantOf(stream), tenant);
      }
      assert.equal(await storage.tenantOf(newId()), null);
    },
  },
  {
    name: 'rejects an append for another tenant, with any expected position',
    async run(open) {
      const storage = await open();
      for (const [owner, other] of [
        ['acme', 'evil'],
        ['acme', ''],
        ['', 'evil'],
      ] as const) {
        const stream = newId();
        await commit(storage, eventOf(owner, stream));
        for (const expectedPosition of [undefined, -1, 0, 7]) {
          await rejectsAsForeign(stream, commit(storage, eventOf(other, stream, { expectedPosition })));
        }
        assert.equal(await storage.lastPosition(stream), 0);
      }
    },
  },
  {
    name: 'commits nothing of a record with an event for a stream of another tenant',
    async run(open) {
      const storage = await open();
      const [own, foreign, unguarded] = [newId(), newId(), newId()];
      await commit(storage, eventOf('acme', foreign));
      await rejectsAsForeign(
        foreign,
        commit(storage, eventOf('evil', own), eventOf('evil', foreign), pendingRecord(unguarded)),
      );
      const messages = { outgoing: [], received: [newId()] };
      const committing = async (): Promise<void> =>
        await storage.commit(commitRecord({ events: [eventOf('evil', foreign), eventOf('evil', own)], ...messages }));
      await rejectsAsForeign(foreign, committing());
      for (const stream of [own, unguarded]) assert.equal(await storage.lastPosition(stream), -1);
    },
  },
  {
    name: 'appends an event to a stream of any tenant if tenants are shared',
    async run(open) {
      const storage = await open();
      const stream = newId();
      await commit(storage, eventOf('acme', stream));
      await commit(storage, pendingRecord(stream, { scope: { tenantId: 'evil' } }));
      await commit(storage, eventOf('acme', stream));
      assert.equal(await storage.lastPosition(stream), 2);
    },
  },
  {
    name: 'assigns an event to the tenant that its metadata names',
    async run(open) {
      const storage = await open();
      const [stream, shared] = [newId(), newId()];
      const byOther = { scope: { tenantId: 'evil' }, metadata: { [streamTenantKey]: 'acme' } };
      await commit(storage, eventOf('acme', stream, byOther));
      assert.equal(await storage.tenantOf(stream), 'acme');
      await commit(storage, eventOf('acme', stream));
      await rejectsAsForeign(stream, commit(storage, eventOf('evil', stream)));
      const ofNone = { scope: { tenantId: 'evil' }, metadata: { [streamTenantKey]: '' } };
      const event = eventOf('', shared, ofNone);
      await commit(storage, event);
      assert.equal(await storage.tenantOf(shared), '');
      assert.equal((await storage.findPlace(event.id))?.tenant, '');
    },
  },
  {
    name: 'lets exactly one of many tenants create a stream concurrently',
    async run(open) {
      const storages = [await open(), await open()];
      const stream = newId();
      const attempts = Array.from({ length: 40 }, (_, i) => commit(storages[i % 2]!, eventOf(`t${i}`, stream)));
      const settled = await Promise.allSettled(attempts);
      const lost = settled.filter((result) => result.status === 'rejected');
      assert.equal(lost.length, 39);
      for (const { reason } of lost) assert.ok(reason instanceof ForeignStreamError, String(reason));
      assert.equal(
        await storages[0]!.tenantOf(stream),
        `t${settled.findIndex(({ status }) => status === 'fulfilled')}`,
      );
    },
  },
  {
    name: 'checks each of many concurrent records independently',
    async run(open) {
      const storage = await open();
      const streams = Array.from({ length: 60 }, () => newId());
      await Promise.all(streams.map((stream, i) => commit(storage, eventOf(i % 3 === 0 ? 'evil' : 'acme', stream))));
      const settled = await Promise.allSettled(streams.map((stream) => commit(storage, eventOf('acme', stream))));
      assert.deepEqual(
        settled.map(({ status }) => status),
        streams.map((_, i) => (i % 3 === 0 ? 'rejected' : 'fulfilled')),
      );
    },
  },
];

/** The same for databases, where the response to a commit can get lost. */
export const lostTenantAnswerCases: readonly StorageCase[] = [
  {
    name: 'recognizes a committed record of a tenant',
    async run(open) {
      const storage = await open();
      const alone = eventOf('acme', newId());
      const stream = newId();
      const together = [eventOf('acme', stream), eventOf('acme', stream)];
      for (let i = 0; i < 2; i++) {
        await commit(storage, alone);
        await commit(storage, ...together);
      }
      assert.equal(await storage.lastPosition(alone.streamId), 0);
      assert.equal(await storage.lastPosition(stream), 1);
    },
  },
];
