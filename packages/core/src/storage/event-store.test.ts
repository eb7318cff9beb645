import { expect, it } from 'vitest';
import type { Uuid } from '../json/index.js';
import { MessageRegistry, newId, wrap, type MessageEnvelope } from '../messages/index.js';
import { EventStore, type StoredEvent } from './event-store.js';
import { InMemoryStorage } from './in-memory-storage.js';

class Happened {
  constructor(public what: string) {}
}

const messages = new MessageRegistry([
  {
    type: 'test.Happened',
    kind: 'event',
    class: Happened,
    read: (value) => new Happened((value as Happened).what),
    write: JSON.stringify,
  },
]);

const happened = (what: string, streamId: Uuid): MessageEnvelope<Happened> =>
  wrap('test.Happened', new Happened(what), { streamId, scope: { tenantId: 'a' }, metadata: { note: 1 } });

async function collect(events: AsyncIterable<StoredEvent>): Promise<StoredEvent[]> {
  const collected: StoredEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

it('gives back what was kept, as new instances, in order', async () => {
  const store = new EventStore(new InMemoryStorage(), messages);
  const [a, b] = [newId(), newId()];
  const envelopes = [happened('one', a), happened('two', b), happened('three', a)];
  await store.commit(envelopes.map((envelope) => ({ streamId: envelope.streamId!, envelope })));
  const all = await collect(store.readAll());
  expect(all.map(({ envelope }) => envelope)).toEqual(envelopes);
  expect(all[0]?.envelope.payload).toBeInstanceOf(Happened);
  expect(all[0]?.envelope.payload).not.toBe(envelopes[0]?.payload);
  expect(all.map(({ position, sequence }) => [position, sequence])).toEqual([
    [0, 0],
    [0, 1],
    [1, 2],
  ]);
  expect((await collect(store.readStream(a, 1))).map(({ envelope }) => envelope)).toEqual([envelopes[2]]);
  expect(await store.lastPosition(a)).toBe(1);
  expect(await store.lastPosition(newId())).toBe(-1);
});

it('is not changed by whoever holds the event', async () => {
  const store = new EventStore(new InMemoryStorage(), messages);
  const streamId = newId();
  const envelope = happened('true', streamId);
  await store.commit([{ streamId, envelope }]);
  envelope.payload.what = 'false';
  expect((await collect(store.readAll()))[0]?.envelope.payload).toEqual(new Happened('true'));
});

it('keeps nothing of a commit in which one stream is not where it was expected', async () => {
  const store = new EventStore(new InMemoryStorage(), messages);
  const [a, b] = [newId(), newId()];
  const commit = (): unknown =>
    store.commit([
      { streamId: a, envelope: happened('a', a), expectedPosition: -1 },
      { streamId: a, envelope: happened('a again', a), expectedPosition: 0 },
      { streamId: b, envelope: happened('b', b), expectedPosition: 7 },
    ]);
  expect(commit).toThrow(
    expect.objectContaining({ code: 'SVC_CONCURRENCY_CONFLICT', streamId: b, actualPosition: -1 }),
  );
  expect(await collect(store.readAll())).toEqual([]);
});
