import assert from 'node:assert/strict';
import type { Uuid } from '../json/index.js';
import { newId, SystemEventStream } from '../messages/index.js';
import {
  MessageSettledError,
  type CommitRecord,
  type OutboxLane,
  type OutgoingRecord,
  type StoredOutgoing,
} from '../storage/index.js';
import { auditDestination, systemEventRecord } from '../system-events/index.js';
import { collect, commitRecord, pendingRecord, randomText } from './records.js';
import type { StorageCase } from './storage-case.js';

/** A message of the lane `system`, with or without an event. */
export function outgoingRecord(fields: Partial<OutgoingRecord>): OutgoingRecord {
  const id = newId();
  const { streamId: _streamId, expectedPosition: _expected, ...message } = pendingRecord(newId(), { id });
  return { id, lane: 'system', destination: 'test.topic', message, note: null, eventId: null, ...fields };
}

/** The delivery of messages to the system stream: a database may reject that one is removed without its event. */
export function systemDeliveryOf(...messages: readonly OutgoingRecord[]): CommitRecord {
  const events = messages.map((one) => systemEventRecord({ ...one, event: null }));
  return commitRecord({ events, delivered: { lane: 'system', ids: messages.map(({ id }) => id) } });
}

/** Waiting and delivered messages. */
export const outboxCases: readonly StorageCase[] = [
  {
    name: 'returns waiting messages in order, each with its event and the position of that event',
    async run(open) {
      const storage = await open();
      const stream = newId();
      await storage.commit(commitRecord({ events: [pendingRecord(stream)] }));
      const events = [pendingRecord(stream, { scope: { tenantId: 't' } }), pendingRecord(stream)];
      const outgoing = [
        outgoingRecord({ eventId: events[1]!.id }),
        outgoingRecord({}),
        outgoingRecord({ eventId: events[0]!.id, message: null, note: '{"level": 1}' }),
        outgoingRecord({ lane: 'transport', destination: 'elsewhere' }),
      ];
      await storage.commit(commitRecord({ events, outgoing }));
      const [, first, second] = await collect(storage.readStream(stream));
      const stored = [second, null, first, null];
      const expected = outgoing.map(({ id, lane, destination, message, note }, i) => {
        return { id, lane, destination, message, note, event: stored[i] };
      });
      assert.deepEqual(await storage.readOutgoing('system', 10), expected.slice(0, 3));
      assert.deepEqual(await storage.readOutgoing('system', 2), expected.slice(0, 2));
      assert.deepEqual(await storage.readOutgoing('transport', 10), expected.slice(3));
    },
  },
  {
    name: 'returns the messages after a waiting one, and none after a delivered one',
    async run(open) {
      const storage = await open();
      const events = Array.from({ length: 3 }, () => pendingRecord(newId()));
      const about = events.map(({ id }) => outgoingRecord({ lane: 'transport', message: null, eventId: id }));
      const outgoing = [...about, outgoingRecord({ lane: 'transport' }), outgoingRecord({}), outgoingRecord({})];
      await storage.commit(commitRecord({ events, outgoing }));
      const ids = outgoing.map(({ id }) => id);
      const behind = async (lane: OutboxLane, limit: number, after: number): Promise<Uuid[]> =>
        (await storage.readOutgoing(lane, limit, ids[after])).map(({ id }) => id);
      assert.deepEqual(await behind('transport', 10, 0), ids.slice(1, 4));
      assert.deepEqual(await behind('transport', 1, 1), ids.slice(2, 3));
      assert.deepEqual(await behind('transport', 10, 3), []);
      assert.deepEqual(await behind('system', 10, 4), ids.slice(5));
      await storage.commit(commitRecord({ delivered: { lane: 'transport', ids: [ids[0]!, ids[2]!] } }));
      assert.deepEqual(await behind('transport', 10, 1), ids.slice(3, 4));
      assert.deepEqual(await behind('transport', 10, 2), []);
      assert.deepEqual(await behind('transport', 10, 0), []);
    },
  },
  {
    name: 'returns the messages of one record in their order, audit records included',
    async run(open) {
      const storage = await open();
      type Audit = (event: number, note?: string) => OutgoingRecord;
      const queues: readonly ((audit: Audit) => OutgoingRecord[])[] = [
        (audit) => [outgoingRecord({ lane: 'transport' }), audit(0), audit(2), audit(2, '{"auditLevel":1}'), audit(1)],
        (audit) => [audit(1), audit(3), outgoingRecord({}), audit(0), outgoingRecord({ lane: 'transport' }), audit(2)],
        (audit) => [outgoingRecord({}), audit(3)],
      ];
      for (const queue of queues) {
        const events = Array.from({ length: 4 }, () => pendingRecord(newId()));
        const outgoing = queue((event, note = '{"auditLevel":0}') =>
          outgoingRecord({ destination: auditDestination, message: null, note, eventId: events[event]!.id }),
        );
        await storage.commit(commitRecord({ events, outgoing }));
        const waiting = await storage.readOutgoing('system', 100);
        assert.deepEqual(
          waiting.map(({ id, note, event }) => [id, note, event?.id]),
          outgoing
            .filter(({ lane }) => lane === 'system')
            .map(({ id, note, eventId }) => [id, note, eventId ?? undefined]),
        );
        const delivered = { lane: 'system', ids: waiting.map(({ id }) => id) } as const;
        await storage.commit(commitRecord({ events: waiting.map(systemEventRecord), delivered }));
      }
    },
  },
  {
    name: 'returns messages of any size, fewer at once if they are large',
    async run(open) {
      const storage = await open();
      // A database compresses a repeated letter to almost nothing.
      const bodies = [randomText(), 'x'.repeat(1_000_000), 'small'].map((text) => JSON.stringify(text));
      const events = Array.from({ length: 4 }, (_, i) => pendingRecord(newId(), { body: bodies[i % 3]! }));
      const outgoing = events.flatMap(({ id, body }) => {
        const command = outgoingRecord({ lane: 'transport' });
        return [
          outgoingRecord({ lane: 'transport', message: null, eventId: id }),
          { ...command, message: { ...command.message!, body } },
        ];
      });
      await storage.commit(commitRecord({ events, outgoing }));
      const read: StoredOutgoing[] = [];
      for (;;) {
        const page = await storage.readOutgoing('transport', 1_000);
        if (page.length === 0) break;
        assert.ok(page.filter(({ event, message }) => (event ?? message!).body.length > 1_000).length <= 4);
        read.push(...page);
        await storage.commit(commitRecord({ delivered: { lane: 'transport', ids: page.map(({ id }) => id) } }));
      }
      assert.deepEqual(
        read.map(({ id, message, event }) => [id, message, event?.body]),
        outgoing.map(({ id, message, eventId }) => [id, message, events.find((event) => event.id === eventId)?.body]),
      );
    },
  },
  {
    name: 'removes a delivered message once, in the same transaction as its effects',
    async run(open) {
      const storage = await open();
      const outgoing = [outgoingRecord({}), outgoingRecord({}), outgoingRecord({ lane: 'transport' })];
      await storage.commit(commitRecord({ outgoing }));
      const ids = outgoing.map(({ id }) => id);
      const deliver = async (...settled: typeof outgoing): Promise<void> =>
        await storage.commit(systemDeliveryOf(...settled));
      await deliver(outgoing[0]!);
      const effect = commitRecord({
        events: [pendingRecord(newId())],
        delivered: { lane: 'transport', ids: [ids[2]!] },
      });
      await storage.commit(effect);
      assert.deepEqual(
        (await storage.readOutgoing('system', 10)).map(({ id }) => id),
        [ids[1]],
      );
      assert.deepEqual(await storage.readOutgoing('transport', 10), []);
      await assert.rejects(
        async () => await deliver(outgoing[0]!, outgoing[1]!),
        (error) => error instanceof MessageSettledError && error.messageId === ids[0],
      );
      assert.equal((await storage.readOutgoing('system', 10)).length, 1, 'nothing of that record is stored');
      assert.equal((await collect(storage.readAll())).length, 2);
    },
  },
  {
    name: 'accepts the delivery of a message from one of many hosts',
    async run(open) {
      const storages = [await open(), await open()];
      const outgoing = outgoingRecord({ lane: 'transport' });
      await storages[0]!.commit(commitRecord({ outgoing: [outgoing] }));
      const settled = await Promise.allSettled(
        Array.from({ length: 20 }, async (_, i) => {
          const delivered = { lane: 'transport', ids: [outgoing.id] } as const;
          const record = commitRecord({ events: [pendingRecord(newId())], delivered });
          await storages[i % 2]!.commit(record);
        }),
      );
      assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await collect(storages[0]!.readAll())).length, 1);
    },
  },
  {
    name: 'rejects a delivery if another host has delivered some of its messages',
    async run(open) {
      const storage = await open();
      const outgoing = [outgoingRecord({}), outgoingRecord({})];
      await storage.commit(commitRecord({ outgoing }));
      const deliver = async (...settled: typeof outgoing): Promise<void> =>
        await storage.commit(systemDeliveryOf(...settled));
      await deliver(outgoing[0]!);
      await assert.rejects(
        () => deliver(...outgoing),
        (error) => error instanceof MessageSettledError && error.messageId === outgoing[0]!.id,
      );
      await deliver(outgoing[1]!);
      assert.deepEqual(
        (await collect(storage.readStream(SystemEventStream.streamId))).map(({ id }) => id),
        outgoing.map(({ id }) => id),
      );
    },
  },
  {
    name: 'preserves the order of a stream in the outbox under concurrent writes',
    async run(open) {
      const storage = await open();
      const stream = newId();
      const events = Array.from({ length: 50 }, () => pendingRecord(stream));
      await Promise.all(
        events.map(async (event) => {
          const outgoing = [outgoingRecord({ eventId: event.id, message: null })];
          await storage.commit(commitRecord({ events: [pendingRecord(newId()), event], outgoing }));
        }),
      );
      assert.deepEqual(
        (await storage.readOutgoing('system', 100)).map(({ event }) => event?.position),
        events.map((_, i) => i),
      );
    },
  },
];
