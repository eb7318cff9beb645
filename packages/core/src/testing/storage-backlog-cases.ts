import assert from 'node:assert/strict';
import { commitRecord } from './records.js';
import type { StorageCase } from './storage-case.js';
import { deadLetter } from './storage-dead-letter-cases.js';
import { outgoingRecord } from './storage-outbox-cases.js';

/** What the capability `backlog` adds. */
export const backlogCases: readonly StorageCase[] = [
  {
    name: 'counts the messages that wait in a lane, up to a limit, and names the first',
    async run(open) {
      const [storage, other] = [await open(), await open()];
      assert.deepEqual(await storage.backlog!.readOutbox('transport', 10), { waiting: 0, first: null });
      const outgoing = Array.from({ length: 3 }, () => outgoingRecord({ lane: 'transport' }));
      await storage.commit(commitRecord({ outgoing: [...outgoing, outgoingRecord({})] }));
      // One host delivers the lane, and both see it.
      assert.equal((await storage.readOutgoing('transport', 10)).length, 3);
      for (const host of [storage, other]) {
        assert.deepEqual(await host.backlog!.readOutbox('transport', 10), { waiting: 3, first: outgoing[0]!.id });
        assert.deepEqual(await host.backlog!.readOutbox('transport', 2), { waiting: 2, first: outgoing[0]!.id });
      }
      await storage.commit(commitRecord({ delivered: { lane: 'transport', ids: [outgoing[0]!.id] } }));
      assert.deepEqual(await other.backlog!.readOutbox('transport', 10), { waiting: 2, first: outgoing[1]!.id });
    },
  },
  {
    name: 'counts dead letters of all causes, up to a limit',
    async run(open) {
      const storage = await open();
      assert.deepEqual(await storage.backlog!.countDeadLetters(10), new Map());
      const causes = ['Unreadable', 'UnprovenOrigin', 'TypeMismatch', 'UnprovenOrigin'] as const;
      await storage.commit(commitRecord({ deadLetters: causes.map((cause) => deadLetter({ cause })) }));
      const counts = new Map([
        ['Unreadable', 1],
        ['UnprovenOrigin', 2],
        ['TypeMismatch', 1],
      ]);
      assert.deepEqual(await storage.backlog!.countDeadLetters(10), counts);
      const some = [...(await storage.backlog!.countDeadLetters(3)).values()];
      assert.equal(
        some.reduce((sum, count) => sum + count, 0),
        3,
      );
    },
  },
];
