import { expect, it } from 'vitest';
import { MessageRegistry } from '../messages/index.js';
import { EventLog, InMemoryStorage, type StoredOutgoing } from '../storage/index.js';
import { OutboxWorker } from '../transport/index.js';
import { commitRecord } from './records.js';
import { outgoingRecord } from './storage-outbox-cases.js';

/** A storage whose outbox answers with what was there a while ago, as one behind a connection does. */
class SlowStorage extends InMemoryStorage {
  override async readOutgoing(...args: Parameters<InMemoryStorage['readOutgoing']>) {
    const messages = await super.readOutgoing(...args);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return messages;
  }
}

it('delivers what is put into the outbox while it looks there for the last time', async () => {
  const storage = new SlowStorage();
  const log = new EventLog(storage, new MessageRegistry([]));
  const delivered: StoredOutgoing[] = [];
  const worker = new OutboxWorker(
    log,
    'system',
    (messages) => {
      delivered.push(...messages);
      storage.commit(commitRecord({ delivered: messages.map(({ id }) => id) }));
    },
    (error) => {
      throw error;
    },
  );
  worker.wake();
  await new Promise((resolve) => setTimeout(resolve, 2));
  storage.commit(commitRecord({ outgoing: [outgoingRecord({})] }));
  worker.wake();
  await worker.idle();
  expect(delivered).toHaveLength(1);
});
