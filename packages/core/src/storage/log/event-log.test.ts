import { expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { MessageRegistry, newId, wrap, type MessageEnvelope } from '../../messages/index.js';
import { around } from '../database/around.js';
import { EventLog } from './event-log.js';
import type { StoredEvent } from './event-store.js';
import { InMemoryStorage } from '../memory/in-memory-storage.js';
import type { CommitRecord } from '../commit-record.js';
import type { PendingRecord } from '../event-record.js';
import { replayOf } from '../capabilities/replay.js';

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

const changes = (events: readonly PendingRecord[]): CommitRecord => ({
  events,
  outgoing: [],
  delivered: null,
  received: [],
});

async function collect(events: AsyncIterable<StoredEvent>): Promise<StoredEvent[]> {
  const collected: StoredEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

it('returns stored events as new instances, in order', async () => {
  const log = new EventLog(new InMemoryStorage(), messages);
  const [a, b] = [newId(), newId()];
  const envelopes = [happened('one', a), happened('two', b), happened('three', a)];
  await log.commit(changes(envelopes.map((envelope) => log.eventRecord(envelope.streamId!, envelope))));
  const all = await collect(log.readAll());
  expect(all.map(({ envelope }) => envelope)).toEqual(envelopes);
  expect(all[0]?.envelope.payload).toBeInstanceOf(Happened);
  expect(all[0]?.envelope.payload).not.toBe(envelopes[0]?.payload);
  expect(all.map(({ position, sequence }) => [position, sequence])).toEqual([
    [0, 0],
    [0, 1],
    [1, 2],
  ]);
  expect((await collect(log.readStream(a, 1))).map(({ envelope }) => envelope)).toEqual([envelopes[2]]);
  expect(await log.lastPosition(a)).toBe(1);
  expect(await log.lastPosition(newId())).toBe(-1);
});

it('does not change a stored event when the application changes its object', async () => {
  const log = new EventLog(new InMemoryStorage(), messages);
  const streamId = newId();
  const envelope = happened('true', streamId);
  await log.commit(changes([log.eventRecord(streamId, envelope)]));
  envelope.payload.what = 'false';
  expect((await collect(log.readAll()))[0]?.envelope.payload).toEqual(new Happened('true'));
});

it('rejects a whole commit when the expected position of one stream is stale', async () => {
  const log = new EventLog(new InMemoryStorage(), messages);
  const [a, b] = [newId(), newId()];
  const commit = (): unknown =>
    log.commit(
      changes([
        log.eventRecord(a, happened('a', a), { expectedPosition: -1 }),
        log.eventRecord(a, happened('a again', a), { expectedPosition: 0 }),
        log.eventRecord(b, happened('b', b), { expectedPosition: 7 }),
      ]),
    );
  expect(commit).toThrow(
    expect.objectContaining({ code: 'SVC_CONCURRENCY_CONFLICT', streamId: b, actualPosition: -1 }),
  );
  expect(await collect(log.readAll())).toEqual([]);
});

it('stops waiting for the count of a storage when the caller aborts', async () => {
  const storage = new InMemoryStorage();
  const never = new Promise<never>(() => {});
  const replay = around(replayOf(storage), { countEvents: () => never, readStreamEnds: () => never });
  const log = new EventLog(Object.assign(storage, { replay }), messages);
  const controller = new AbortController();
  const types = new Set(['test.Happened']);
  const counting = [
    log.countEvents(types, { sequence: 1 }, controller.signal),
    log.readStreamEnds(types, controller.signal),
    log.readStreamEnds(types, AbortSignal.abort(new Error('enough'))),
  ];
  controller.abort(new Error('enough'));
  for (const count of counting) await expect(count).rejects.toThrow('enough');
});
