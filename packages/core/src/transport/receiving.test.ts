import { expect, it } from 'vitest';
import type { Uuid } from '../json/index.js';
import { MessageRegistry, newId } from '../messages/index.js';
import { EventLog, InMemoryStorage, type CommitRecord } from '../storage/index.js';
import { receivedEvents } from './received-event.js';
import { mostReceiveAttempts, receiving } from './receiving.js';
import type { ReceivedMessage, ReceiveMessages, UnprocessableMessage } from './transport.js';

class Happened {}

/** A storage that is available, and rejects some events. */
class Choosy extends InMemoryStorage {
  readonly unkeepable = new Set<string>();

  override commit(record: CommitRecord): void {
    if (record.events.some(({ id }) => this.unkeepable.has(id))) throw new RangeError('out of range');
    super.commit(record);
  }
}

function message(streamId = newId()): ReceivedMessage {
  const id = newId();
  const names = { type: 'test.Happened', destination: 'test', origin: 'another-host', provenOrigin: 'another-host' };
  const rest = { body: '{}', timestamp: 0, causationId: null, scope: null, metadata: {} };
  return { id, streamId, correlationId: id, ...names, ...rest, routedType: null, signature: null };
}

function receivingOver(storage: Choosy): ReceiveMessages {
  const messages = new MessageRegistry([
    { type: 'test.Happened', kind: 'event', class: Happened, read: () => new Happened(), write: () => '{}' },
  ]);
  const admission = { event: () => ({ origin: 'another-host' }) };
  return receiving(new EventLog(storage, messages), messages, admission, receivedEvents({ marksTenants: true }));
}

async function stored(storage: Choosy): Promise<readonly Uuid[]> {
  const ids: Uuid[] = [];
  for await (const { id } of storage.readAll()) ids.push(id);
  return ids;
}

/** Delivers a batch again until it is processed, as transports do. */
async function handOver(receive: ReceiveMessages, batch: readonly ReceivedMessage[]) {
  for (let attempts = 1; attempts < 100; attempts++) {
    const unprocessable: readonly UnprocessableMessage[] | null = await receive(batch).catch((error: unknown) => {
      expect(error).toBeInstanceOf(RangeError);
      return null;
    });
    if (unprocessable !== null) return { attempts, unprocessable: unprocessable.map((one) => one.message) };
  }
  return null;
}

it('gives up all messages of a batch that cannot be stored, and stores the rest at once', async () => {
  const storage = new Choosy();
  const receive = receivingOver(storage);
  const batch = Array.from({ length: 10 }, () => message());
  const bad = [batch[3]!, batch[4]!, batch[7]!];
  for (const { id } of bad) storage.unkeepable.add(id);
  await expect(receive(batch)).rejects.toThrow(RangeError);
  expect(await stored(storage), 'before anything is given up').toHaveLength(7);
  expect(await handOver(receive, batch)).toEqual({ attempts: mostReceiveAttempts - 1, unprocessable: bad });
});

it('stores no later message of a stream before one that is retried', async () => {
  const storage = new Choosy();
  const receive = receivingOver(storage);
  const stream = newId();
  const batch = [message(stream), message(), message(stream)];
  storage.unkeepable.add(batch[0]!.id);
  await expect(receive(batch)).rejects.toThrow(RangeError);
  expect(await stored(storage)).toEqual([batch[1]!.id]);
  storage.unkeepable.clear();
  expect(await receive(batch)).toEqual([]);
  expect(await stored(storage)).toEqual([batch[1]!.id, batch[0]!.id, batch[2]!.id]);
});

it('gives up several messages of one stream that cannot be stored, in as many attempts as one', async () => {
  const storage = new Choosy();
  const stream = newId();
  const batch = [message(stream), message(stream), message(stream)];
  for (const { id } of batch.slice(0, 2)) storage.unkeepable.add(id);
  const result = await handOver(receivingOver(storage), batch);
  expect(result).toEqual({ attempts: mostReceiveAttempts, unprocessable: batch.slice(0, 2) });
  expect(await stored(storage)).toEqual([batch[2]!.id]);
});
