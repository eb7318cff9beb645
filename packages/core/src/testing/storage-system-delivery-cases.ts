import assert from 'node:assert/strict';
import { newId, SystemEventStream } from '../messages/index.js';
import type { Storage, StoredOutgoing } from '../storage/index.js';
import { systemEventRecord } from '../system-events/index.js';
import { collect, commitRecord, pendingRecord } from './records.js';
import { audited, auditOf } from './storage-audit-cases.js';
import type { StorageCase } from './storage-case.js';
import { outgoingRecord } from './storage-outbox-cases.js';

/** What this process would append for the waiting messages. */
function appendedOf(waiting: readonly StoredOutgoing[]): object[] {
  return waiting.map((outgoing, position) => {
    const { id, type, body, timestamp, correlationId, causationId, scope, metadata } = systemEventRecord(outgoing);
    return { id, type, body, timestamp, correlationId, causationId, scope, metadata, position };
  });
}

async function systemStream(storage: Storage): Promise<object[]> {
  const records = await collect(storage.readStream(SystemEventStream.streamId));
  return records.map(({ id, type, body, timestamp, correlationId, causationId, scope, metadata, position }) => {
    return { id, type, body, timestamp, correlationId, causationId, scope, metadata, position };
  });
}

/** What the capability `systemDelivery` adds. */
export const systemDeliveryCases: readonly StorageCase[] = [
  {
    name: 'appends exactly what this process would append to the system stream',
    async run(open) {
      const storage = await open();
      const stream = newId();
      await storage.commit(commitRecord({ events: [pendingRecord(stream)] }));
      const events = audited.map(({ fields }, i) => pendingRecord(i % 2 === 0 ? stream : newId(), fields));
      const outgoing = events.map((event, i) => auditOf(event, audited[i]!.note));
      await storage.commit(commitRecord({ events, outgoing }));
      const {
        streamId: _streamId,
        expectedPosition: _expected,
        ...message
      } = pendingRecord(newId(), {
        id: newId(),
        type: 'svc.CommandAudited',
        body: '{"commandType" : "a \\"b\\" \\\\ ü"}',
        timestamp: 1_700_000_000_001,
        causationId: newId(),
        scope: { tenantId: 't' },
        metadata: { 'flag.x': true },
      });
      const plain = outgoingRecord({});
      await storage.commit(commitRecord({ outgoing: [outgoingRecord({ id: message.id, message }), plain] }));
      const waiting = await storage.readOutgoing('system', 100);
      assert.equal(waiting.length, audited.length + 2);
      const delivered = await storage.systemDelivery!.deliver(100);
      assert.deepEqual(
        delivered,
        new Map([
          ['svc.EventAudited', audited.length],
          ['svc.CommandAudited', 1],
          ['test.Happened', 1],
        ]),
      );
      assert.deepEqual(await systemStream(storage), appendedOf(waiting));
      assert.deepEqual(await storage.readOutgoing('system', 100), []);
      assert.deepEqual(await storage.systemDelivery!.deliver(100), new Map());
    },
  },
  {
    name: 'appends to the system stream in order, in batches, after the stored events, and nothing of another lane',
    async run(open) {
      const storage = await open();
      await storage.commit(commitRecord({ events: [pendingRecord(SystemEventStream.streamId)] }));
      const stream = newId();
      for (let i = 0; i < 5; i++) {
        const event = pendingRecord(stream);
        const outgoing = [outgoingRecord({ lane: 'transport' }), auditOf(event), outgoingRecord({})];
        await storage.commit(commitRecord({ events: [event], outgoing }));
      }
      const waiting = await storage.readOutgoing('system', 100);
      for (const [limit, left] of [
        [3, 7],
        [1, 6],
        [100, 0],
      ] as const) {
        await storage.systemDelivery!.deliver(limit);
        assert.equal((await storage.readOutgoing('system', 100)).length, left);
      }
      const appended = (await collect(storage.readStream(SystemEventStream.streamId))).slice(1);
      const ids = waiting.map(({ id }) => id);
      assert.deepEqual(
        appended.map(({ id, position }) => [id, position]),
        ids.map((id, i) => [id, i + 1]),
      );
      const all = await collect(storage.readAll());
      assert.deepEqual(
        all
          .filter(({ streamId, position }) => streamId === SystemEventStream.streamId && position > 0)
          .map(({ id }) => id),
        ids,
      );
      assert.equal((await storage.readOutgoing('transport', 100)).length, 5);
    },
  },
  {
    name: 'leaves messages that it cannot append to this process',
    async run(open) {
      const storage = await open();
      const scopes = [{ tenantId: 'a\u0000b' }, { userId: 'half \ud83d' }, { 'key \u0000': 'x' }];
      const events = scopes.map((scope) => pendingRecord(newId(), { scope }));
      const outgoing = events.map((event) => auditOf(event));
      await storage.commit(commitRecord({ events, outgoing }));
      await storage.systemDelivery!.deliver(1).catch(() => {});
      const waiting = await storage.readOutgoing('system', 100);
      const delivered = { lane: 'system', ids: waiting.map(({ id }) => id) } as const;
      const records = waiting.map(systemEventRecord);
      await storage.commit(commitRecord({ events: records, delivered }));
      assert.deepEqual(await storage.readOutgoing('system', 100), []);
      const stream = await collect(storage.readStream(SystemEventStream.streamId));
      assert.deepEqual(
        stream.map(({ scope }) => scope),
        scopes,
      );
    },
  },
];
