import assert from 'node:assert/strict';
import type { Uuid } from '../json/index.js';
import { registry } from '../generated/registry.js';
import { firstIdOf, latestIdKey, MessageRegistry, newId, SystemEventStream } from '../messages/index.js';
import { EventLog, LateEventError, type OutgoingRecord, type PendingRecord, type Storage } from '../storage/index.js';
import { systemStreamDelivery } from '../transport/index.js';
import { collect, commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';
import { outgoingRecord } from './storage-outbox-cases.js';

async function commit(storage: Storage, ...events: readonly PendingRecord[]): Promise<void> {
  await storage.commit(commitRecord({ events }));
}

/** An event from another database, and the latest id of its stream if it is late. */
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

/** Ids of versions 4 and 8, one of them only a little greater than those of now. */
function greaterWithoutTime(): Uuid[] {
  const soon = firstIdOf(Date.now() + 60_000).replace('-7000-', '-4000-');
  return [soon, 'ffffffff-0000-4000-8000-000000000001', 'ffffffff-ffff-8fff-bfff-ffffffffffff'] as Uuid[];
}

/** Ids ascend with positions in each stream, independently of the clocks of hosts. */
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
    name: 'rejects events whose ids are below that of a received message',
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
    name: 'compares ids with those of received messages and streams, also if received ids without a time are greater',
    async run(open) {
      const storage = await open();
      const [stream, other, message] = [newId(), pendingRecord(newId()), newId()];
      const [early, queued, first] = [pendingRecord(stream), newId(), pendingRecord(stream)];
      await commit(storage, first);
      await storage.commit(commitRecord({ received: [message, ...greaterWithoutTime()] }));
      await rejectsAsLate(commit(storage, other), [[other.streamId, message]]);
      await rejectsAsLate(commit(storage, early, other), [
        [stream, first.id],
        [other.streamId, message],
      ]);
      await storage.commit(commitRecord({ outgoing: [naming(outgoingRecord({ id: queued }))] }));
      await deliver(new EventLog(storage, messages));
      const [appended] = await collect(storage.readStream(systemStream));
      assert.ok(appended!.id > message, `${appended!.id} after ${message}`);
      await commit(storage, pendingRecord(other.streamId));
    },
  },
  {
    name: 'compares ids with those of received messages, also in a stream whose last id has no time',
    async run(open) {
      const storage = await open();
      const stream = newId();
      const [early, message] = [pendingRecord(stream), newId()];
      const [timeless] = greaterWithoutTime();
      await commit(storage, pendingRecord(stream, { id: timeless! }));
      await storage.commit(commitRecord({ received: [message] }));
      await rejectsAsLate(commit(storage, early), [[stream, message]]);
      await commit(storage, pendingRecord(stream));
      assert.equal(await storage.lastPosition(stream), 1);
    },
  },
  {
    name: 'appends late events of other databases if they name the latest id, and continues after it',
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
    name: 'does not compare ids without a time',
    async run(open) {
      const storage = await open();
      const stream = newId();
      const timeless = ['ffffffff-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001'] as Uuid[];
      for (const id of timeless) await commit(storage, pendingRecord(stream, { id }));
      await commit(storage, pendingRecord(stream));
      assert.equal(await storage.lastPosition(stream), 2);
    },
  },
  {
    name: 'rejects events of the system stream whose ids are below those of earlier events',
    async run(open) {
      const storage = await open();
      const [early, first] = [pendingRecord(systemStream), pendingRecord(systemStream)];
      await commit(storage, first);
      await rejectsAsLate(commit(storage, early), [[systemStream, first.id]]);
    },
  },
  {
    name: 'appends system events in the order in which they were queued, with ascending ids that their bodies contain',
    async run(open) {
      const storage = await open();
      const log = new EventLog(storage, messages);
      const audited = pendingRecord(newId());
      const [first, second, third, last] = [newId(), newId(), newId(), newId()];
      await storage.commit(commitRecord({ events: [pendingRecord(systemStream, { id: third })] }));
      const note = { ...outgoingRecord({ id: second }), message: null, note: '{"auditLevel":0}', eventId: audited.id };
      const plain = [outgoingRecord({ id: last }), outgoingRecord({ id: first })];
      await storage.commit(commitRecord({ events: [audited], outgoing: [naming(plain[0]!), note, naming(plain[1]!)] }));
      await deliver(log);
      const appended = await collect(storage.readStream(systemStream));
      const ids = appended.map(({ id }) => id);
      assert.deepEqual(ids, ids.toSorted());
      assert.equal(ids[1], last, 'which was in order');
      assert.deepEqual(
        appended.slice(1).map(({ body }) => (JSON.parse(body) as { id: Uuid }).id),
        ids.slice(1),
      );
      assert.deepEqual(
        appended.slice(1).map(({ type, correlationId }) => [type, correlationId]),
        [
          ['test.Happened', last],
          ['svc.EventAudited', audited.correlationId],
          ['test.Happened', ids[3]],
        ],
      );
      assert.deepEqual(await storage.readOutgoing('system', 100), []);
    },
  },
];

const systemStream = SystemEventStream.streamId;
const messages = new MessageRegistry(registry.messages);

/** A message whose body contains its id. */
function naming(outgoing: OutgoingRecord): OutgoingRecord {
  const { id } = outgoing;
  return { ...outgoing, message: { ...outgoing.message!, id, correlationId: id, body: JSON.stringify({ id }) } };
}

/** Delivers the waiting messages to the system stream, by the storage itself if it can. */
async function deliver(log: EventLog): Promise<void> {
  if ((await log.deliverSystemEvents(100)) !== null) return;
  await systemStreamDelivery(log, messages, null)(await log.readOutgoing('system', 100));
}

/** The same for databases, where the response to a commit can get lost. */
export const lostOrderAnswerCases: readonly StorageCase[] = [
  {
    name: 'recognizes a committed record, also if its streams have greater ids since',
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
  {
    name: 'recognizes a queued system event, also if it was appended under another id since',
    async run(open) {
      const storage = await open();
      const log = new EventLog(storage, messages);
      for (const inDatabase of [true, false]) {
        const early = naming(outgoingRecord({ id: newId() }));
        await commit(storage, pendingRecord(newId(), { streamId: systemStream }));
        await storage.commit(commitRecord({ outgoing: [early] }));
        if (inDatabase) await deliver(log);
        else await systemStreamDelivery(log, messages, null)(await log.readOutgoing('system', 100));
        const last = await storage.lastPosition(systemStream);
        assert.equal((await storage.findPlace(early.id)) === null, true, 'it has another id');
        await storage.commit(commitRecord({ outgoing: [early] }));
        assert.deepEqual(await storage.readOutgoing('system', 100), []);
        assert.equal(await storage.lastPosition(systemStream), last);
      }
    },
  },
];
