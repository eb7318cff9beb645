import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import { MessageSettledError, type DeadLetterRecord } from '../storage/index.js';
import { collect, commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';
import { outgoingRecord } from './storage-outbox-cases.js';

export function deadLetter(fields: Partial<DeadLetterRecord> = {}): DeadLetterRecord {
  const { expectedPosition: _expected, ...message } = pendingRecord(newId(), { body: 'not "JSON' });
  return {
    id: newId(),
    direction: 'incoming',
    cause: 'Unreadable',
    destination: 'test',
    origin: 'elsewhere',
    message,
    errorName: 'Error',
    errorMessage: 'no',
    attempts: 3,
    firstFailedAt: 1_700_000_000_123,
    lastFailedAt: 1_700_000_000_456,
    ...fields,
  };
}

/** Dead letters. */
export const deadLetterCases: readonly StorageCase[] = [
  {
    name: 'stores dead letters in the same transaction as their record, and returns them page by page',
    async run(open) {
      const storage = await open();
      const outgoing = outgoingRecord({ lane: 'transport' });
      await storage.commit(commitRecord({ outgoing: [outgoing] }));
      const letters = [deadLetter(), deadLetter({ direction: 'outgoing', cause: 'TooLarge' }), deadLetter()];
      const delivered = { lane: 'transport', ids: [outgoing.id] } as const;
      await storage.commit(commitRecord({ delivered, deadLetters: letters.slice(0, 2) }));
      await storage.commit(commitRecord({ received: [letters[2]!.message.id], deadLetters: letters.slice(2) }));
      assert.deepEqual(await storage.readDeadLetters(null, 10), letters);
      assert.deepEqual(await storage.readDeadLetters(letters[0]!.id, 1), [letters[1]]);
      assert.deepEqual(await storage.findDeadLetter(letters[1]!.id), letters[1]);
      assert.equal(await storage.findDeadLetter(newId()), null);
      for (const again of [{ delivered }, { received: [letters[2]!.message.id] }]) {
        await assert.rejects(
          async () => await storage.commit(commitRecord({ ...again, deadLetters: [deadLetter()] })),
          MessageSettledError,
        );
      }
      assert.equal((await storage.readDeadLetters(null, 10)).length, 3);
    },
  },
  {
    name: 'counts dead letters by their causes, up to a limit',
    async run(open) {
      const storage = await open();
      assert.equal(await storage.countDeadLetters(['Unreadable'], 10), 0);
      const causes = ['Unreadable', 'UnprovenOrigin', 'TypeMismatch', 'UnprovenOrigin'] as const;
      const deadLetters = causes.map((cause) => deadLetter({ cause }));
      await storage.commit(commitRecord({ deadLetters }));
      assert.equal(await storage.countDeadLetters(['UnprovenOrigin', 'TypeMismatch'], 10), 3);
      assert.equal(await storage.countDeadLetters(['UnprovenOrigin', 'TypeMismatch'], 2), 2);
      assert.equal(await storage.countDeadLetters(['Expired'], 10), 0);
      await storage.commit(commitRecord({ resolved: deadLetters[2]!.id }));
      assert.equal(await storage.countDeadLetters(['UnprovenOrigin', 'TypeMismatch'], 10), 2);
    },
  },
  {
    name: 'resolves a dead letter once, in the same transaction as its effects',
    async run(open) {
      const storages = [await open(), await open()];
      const letter = deadLetter();
      await storages[0]!.commit(commitRecord({ deadLetters: [letter] }));
      const settled = await Promise.allSettled(
        Array.from({ length: 20 }, async (_, i) => {
          await storages[i % 2]!.commit(commitRecord({ events: [pendingRecord(newId())], resolved: letter.id }));
        }),
      );
      assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const result of settled)
        if (result.status === 'rejected') assert.ok(result.reason instanceof MessageSettledError);
      assert.equal((await collect(storages[0]!.readAll())).length, 1);
      assert.equal(await storages[1]!.findDeadLetter(letter.id), null);
    },
  },
  {
    name: 'queues a message about an event of an earlier record if a dead letter is replayed',
    async run(open) {
      const storage = await open();
      const event = pendingRecord(newId());
      await storage.commit(commitRecord({ events: [event] }));
      const letter = deadLetter({ direction: 'outgoing' });
      await storage.commit(commitRecord({ deadLetters: [letter] }));
      const outgoing = outgoingRecord({ lane: 'transport', eventId: event.id, message: null });
      await storage.commit(commitRecord({ outgoing: [outgoing], resolved: letter.id }));
      const [waiting] = await storage.readOutgoing('transport', 10);
      assert.deepEqual([waiting?.id, waiting?.event?.id, waiting?.event?.position], [outgoing.id, event.id, 0]);
    },
  },
];
