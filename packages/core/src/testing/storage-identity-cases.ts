import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import { DuplicateEventError, MessageSettledError } from '../storage/index.js';
import { collect, commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';
import { outgoingRecord, systemDeliveryOf } from './storage-outbox-cases.js';

/** Operations that take effect once. */
export const identityCases: readonly StorageCase[] = [
  {
    name: 'processes a received message once',
    async run(open) {
      const storage = await open();
      const id = newId();
      const receive = async (): Promise<void> =>
        await storage.commit(commitRecord({ events: [pendingRecord(newId())], received: [id] }));
      const settled = await Promise.allSettled([receive(), receive(), receive()]);
      assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1);
      await assert.rejects(receive, (error) => error instanceof MessageSettledError && error.messageId === id);
      assert.equal((await collect(storage.readAll())).length, 1);
    },
  },
];

/** Retries after a lost response: a record that is committed again is recognized by its ids. */
export const lostAnswerCases: readonly StorageCase[] = [
  {
    name: 'commits a record once, however often it is committed',
    async run(open) {
      const storage = await open();
      const stream = newId();
      const event = pendingRecord(stream, { expectedPosition: -1 });
      const record = commitRecord({
        events: [event, pendingRecord(stream)],
        outgoing: [outgoingRecord({ eventId: event.id })],
      });
      await storage.commit(record);
      await storage.commit(record);
      await Promise.all([storage.commit(record), storage.commit(record)]);
      assert.equal((await collect(storage.readAll())).length, 2);
      assert.equal((await storage.readOutgoing('system', 10)).length, 1);
    },
  },
  {
    name: 'rejects an event with the id of another one',
    async run(open) {
      const storage = await open();
      const [a, b] = [newId(), newId()];
      const first = pendingRecord(a);
      await storage.commit(commitRecord({ events: [first] }));
      for (const events of [
        [pendingRecord(b, { id: first.id })],
        [pendingRecord(a), first],
        [first, pendingRecord(b)],
      ]) {
        await assert.rejects(
          async () => await storage.commit(commitRecord({ events })),
          (error) => error instanceof DuplicateEventError && error.eventId === first.id,
        );
      }
      assert.equal((await collect(storage.readAll())).length, 1);
    },
  },
  {
    name: 'stores messages without an event once, also if they were delivered since',
    async run(open) {
      const storage = await open();
      const outgoing = outgoingRecord({});
      await storage.commit(commitRecord({ outgoing: [outgoing] }));
      await storage.commit(commitRecord({ outgoing: [outgoing] }));
      assert.equal((await storage.readOutgoing('system', 10)).length, 1);
      await storage.commit(systemDeliveryOf(outgoing));
      await storage.commit(commitRecord({ outgoing: [outgoing] }));
      assert.deepEqual(await storage.readOutgoing('system', 10), []);
    },
  },
];
