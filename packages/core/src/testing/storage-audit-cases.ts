import assert from 'node:assert/strict';
import { newId, observeId, streamTenantKey, SystemEventStream } from '../messages/index.js';
import {
  replayOf,
  type OutgoingRecord,
  type PendingRecord,
  type Storage,
  type StoredRecord,
} from '../storage/index.js';
import { auditDestination, systemEventRecord } from '../system-events/index.js';
import { collect, commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';
import { outgoingRecord } from './storage-outbox-cases.js';

const system = SystemEventStream.streamId;
const eventAudited = 'svc.EventAudited';

/** What the auditing decorator queues for an event. */
export function auditOf(event: PendingRecord, note: object = { auditLevel: 0 }): OutgoingRecord {
  const text = JSON.stringify(note);
  return outgoingRecord({ destination: auditDestination, message: null, note: text, eventId: event.id });
}

/** Events of all kinds, some audited with a reason. */
export const audited: readonly { readonly fields: Partial<PendingRecord>; readonly note?: object }[] = [
  { fields: {} },
  { fields: { body: '{"a" : 1.50,"b":"\\u2028 \\ud800 ü 𝄞 \\\\ \\"","c":[null,true,{}]}', causationId: newId() } },
  {
    fields: { body: '"text"', timestamp: 0 },
    note: { auditLevel: 2, auditReason: 'Money "moved",\n\t\u001f für ü 𝄞.' },
  },
  { fields: { scope: {}, timestamp: -1, metadata: { version: 3 } }, note: { auditLevel: 1 } },
  { fields: { scope: { tenantId: 't "1"\n\u0001', userId: 'ü 𝄞 \\ \u2028' }, timestamp: 253_402_300_799_999 } },
  { fields: { scope: { tenantId: null, userId: 'u', 'a key': 'x', region: null }, timestamp: -62_135_596_800_000 } },
  { fields: { scope: { userId: null, '1': 'one', tenantId: '' }, type: 'odd."type"\\ ü', timestamp: 1_999 } },
  { fields: { scope: { tenantId: 'platform' }, metadata: { version: 3, [streamTenantKey]: 'a "b"\n ü 𝄞' } } },
  { fields: { scope: { tenantId: 'platform' }, metadata: { [streamTenantKey]: '' } } },
  { fields: { scope: { tenantId: 'a\u0000b', userId: 'half \ud83d', 'key \u0000': 'x' } } },
  { fields: { body: `{"text":"${'large '.repeat(3_000)}"}` } },
];

/** Events with their audit records, which this process appends. */
export async function appendAudited(storage: Storage): Promise<readonly PendingRecord[]> {
  const events = audited.map(({ fields }) => pendingRecord(newId(), fields));
  const outgoing = events.map((event, i) => auditOf(event, audited[i]!.note));
  await storage.commit(commitRecord({ events, outgoing }));
  const waiting = await storage.readOutgoing('system', 100);
  const delivered = { lane: 'system', ids: waiting.map(({ id }) => id) } as const;
  const records = waiting.map(systemEventRecord);
  await storage.commit(commitRecord({ events: records, delivered }));
  return records;
}

function plain({
  id,
  type,
  body,
  timestamp,
  correlationId,
  causationId,
  scope,
  metadata,
}: PendingRecord | StoredRecord) {
  return { id, type, body, timestamp, correlationId, causationId, scope, metadata };
}

/** An event with a message of each kind for the system stream. */
function decided(): { readonly events: PendingRecord[]; readonly outgoing: OutgoingRecord[] } {
  const event = pendingRecord(newId());
  return { events: [event], outgoing: [auditOf(event), outgoingRecord({}), outgoingRecord({ lane: 'transport' })] };
}

/** What a storage does with audit records, and with system events that need not wait. */
export const auditCases: readonly StorageCase[] = [
  {
    name: 'returns audit records complete, whichever way they are read',
    async run(open) {
      const storage = await open();
      const records = await appendAudited(storage);
      const expected = records.map(plain);
      const read = await collect(storage.readStream(system));
      assert.deepEqual(read.map(plain), expected);
      assert.deepEqual((await collect(storage.readAll())).slice(-records.length).map(plain), expected);
      const positions = records.map((_, position) => position);
      assert.deepEqual((await collect(storage.readPositions(system, positions))).map(plain), expected);
      for (const [i, { id }] of records.entries()) {
        assert.deepEqual(plain((await storage.findEvent(id))!), expected[i]);
      }
    },
  },
  {
    name: 'returns audit records complete to those who replay them',
    async run(open) {
      const storage = await open();
      const expected = (await appendAudited(storage)).map(plain);
      const replayed = [];
      for await (const { records } of replayOf(storage).readReplayPages(-1, 1_000, [eventAudited])) {
        replayed.push(...records);
      }
      assert.equal(replayed.length, expected.length);
      for (const [i, record] of replayed.entries()) {
        const { body, ...rest } = expected[i]!;
        const content: unknown = 'body' in record ? JSON.parse(record.body) : record.content;
        assert.deepEqual(content, JSON.parse(body));
        const { id, type, timestamp, correlationId, causationId, scope, metadata } = record;
        assert.deepEqual({ id, type, timestamp, correlationId, causationId, scope, metadata }, rest);
      }
    },
  },
  {
    name: 'returns audit records complete to those who publish them',
    async run(open) {
      const storage = await open();
      const records = await appendAudited(storage);
      const outgoing = records.map(({ id }) =>
        outgoingRecord({ id: newId(), lane: 'transport', message: null, eventId: id }),
      );
      await storage.commit(commitRecord({ outgoing }));
      const waiting = await storage.readOutgoing('transport', 100);
      assert.deepEqual(
        waiting.map(({ event }) => plain(event!)),
        records.map(plain),
      );
    },
  },
  {
    name: 'knows the tenant of an audit record, which is that of the event',
    async run(open) {
      const storage = await open();
      const appended = await appendAudited(storage);
      const records = appended.filter(({ scope }) => scope?.['tenantId']?.includes('\u0000') !== true);
      const tenants = await Promise.all(records.map(async ({ id }) => (await storage.findPlace(id))!.tenant));
      const ofEvents = await Promise.all(
        records.map(async ({ causationId }) => (await storage.findPlace(causationId!))!.tenant),
      );
      assert.deepEqual(tenants, ofEvents);
    },
  },
  {
    name: 'appends system events at once or queues them, in order and once, if they need not be seen first',
    async run(open) {
      const storage = await open();
      const decisions = [decided(), decided(), decided()];
      // The first waits, and the others must not overtake it.
      for (const [i, decision] of decisions.entries()) {
        await storage.commit(commitRecord({ ...decision, systemAtOnce: i > 0 }));
      }
      const stored = await collect(storage.readStream(system));
      const waiting = await storage.readOutgoing('system', 100);
      assert.deepEqual(
        [...stored, ...waiting].map(({ id }) => id),
        decisions.flatMap(({ outgoing }) => outgoing.slice(0, 2)).map(({ id }) => id),
      );
      assert.equal((await storage.readOutgoing('transport', 100)).length, 3);
      if (storage.systemDelivery?.isAtOnce !== true) return;
      assert.deepEqual(waiting, []);
      assert.deepEqual(
        stored.map(({ position }) => position),
        [0, 1, 2, 3, 4, 5],
      );
      assert.deepEqual(
        stored.filter(({ type }) => type === eventAudited).map(({ causationId }) => causationId),
        decisions.map(({ events: [event] }) => event!.id),
      );
    },
  },
  {
    name: 'queues a system event about an event of another commit, and notifies its own workers if they do not expect that',
    async run(open) {
      const storage = await open();
      const event = pendingRecord(newId());
      await storage.commit(commitRecord({ events: [event] }));
      let notifications = 0;
      storage.notifications?.onOutgoing(() => notifications++);
      await storage.commit(commitRecord({ outgoing: [auditOf(event)], systemAtOnce: true }));
      if (storage.systemDelivery?.isAtOnce === true) assert.ok(notifications > 0);
      assert.equal((await storage.readOutgoing('system', 100)).length, 1);
    },
  },
  {
    name: 'appends system events at once with greater ids than those before them',
    async run(open) {
      const storage = await open();
      const early = decided();
      const alone = outgoingRecord({});
      const later = pendingRecord(system, { id: newId() });
      observeId(later.id);
      await storage.commit(commitRecord({ events: [later] }));
      await storage.commit(commitRecord({ ...early, systemAtOnce: true }));
      await storage.commit(commitRecord({ outgoing: [alone], systemAtOnce: true }));
      // A repeated commit changes nothing, although its message has another id now.
      await storage.commit(commitRecord({ outgoing: [alone], systemAtOnce: true }));
      const waiting = await storage.readOutgoing('system', 100);
      const stored = await collect(storage.readStream(system));
      assert.equal(stored.length + waiting.length, 4);
      const ids = stored.map(({ id }) => id);
      assert.deepEqual(ids, ids.toSorted());
      for (const { type, id, body } of stored) {
        if (type === eventAudited) assert.equal((JSON.parse(body) as { id: string }).id, id);
      }
    },
  },
];
