/** The processed events of reactions, of which PostgreSQL stores a row for each commit and segment. */
import { newId, type Uuid } from '@svc/core';
import { MessageSettledError, type ReactionSegment, type SegmentMove } from '@svc/core/storage';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresStorage } from '@svc/postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cuttingProxy } from './cutting-proxy.js';
import { useDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
useDatabase((one) => (database = one));

const opened: PostgresStorage[] = [];
let storage: PostgresStorage;
beforeEach(() => void (storage = open()));
const closeAll = () => Promise.all(opened.splice(0).map((one) => one.close()));
afterEach(closeAll);

function open(url = database.url): PostgresStorage {
  const one = postgres({ url });
  opened.push(one);
  return one;
}

/** A stream of the first segment. */
const newStream = (): Uuid => `${newId().slice(0, -1)}0` as Uuid;

/** Appends an event to each of new streams of the first segment. */
async function appendTo(streams: readonly Uuid[]): Promise<readonly Uuid[]> {
  const events = streams.map((stream) => pendingRecord(stream));
  await storage.commit(commitRecord({ events }));
  return events.map(({ id }) => id);
}

const append = (count: number): Promise<readonly Uuid[]> => appendTo(Array.from({ length: count }, newStream));

/** Begins a term of the first segment. */
async function begin(by = storage): Promise<ReactionSegment & { readonly reacted: readonly Uuid[] }> {
  await by.reactions.register('Charging', 'beginning');
  const { segments, reacted } = (await by.reactions.begin('Charging', [0]))!;
  return { ...segments[0]!, reacted };
}

const reacted = (term: number, eventId: Uuid) => ({ reaction: 'Charging', segment: 0, term, eventId });

/** Commits events as processed, in one batch. */
async function react(term: number, events: readonly Uuid[]): Promise<void> {
  await Promise.all(events.map((id) => storage.commit(commitRecord({ reacted: reacted(term, id) }))));
}

/** Moves the place behind an event. */
async function advance(term: number, to: Uuid, passed: readonly Uuid[], by = storage): Promise<boolean> {
  const { sequence } = (await by.findEvent(to))!;
  const moves: SegmentMove[] = [{ segment: 0, term, passed }];
  return await by.reactions.advance('Charging', sequence, moves);
}

/** The stored events of each row. */
async function stored(): Promise<readonly Uuid[][]> {
  const { rows } = await database.query(
    'SELECT to_json(events) AS events FROM svc_reacted_rows ORDER BY cardinality(events)',
  );
  return (rows as { events: Uuid[] }[]).map(({ events }) => events.toSorted());
}

it('stores the events of a batch in one row, and removes it when none of them is needed', async () => {
  const { term } = await begin();
  const [a, b, c] = (await append(3)) as [Uuid, Uuid, Uuid];
  await react(term, [a, b, c]);
  expect(await stored()).toEqual([[a, b, c].toSorted()]);
  await advance(term, b, [a, b]);
  expect(await stored()).toEqual([[a, b, c].toSorted()]);
  await advance(term, c, [c]);
  expect(await stored()).toEqual([]);
});

it('leaves the events of rejected records out of the row', async () => {
  const { term } = await begin();
  const [first, second, third] = (await append(3)) as [Uuid, Uuid, Uuid];
  const stale = commitRecord({
    events: [pendingRecord(newId(), { expectedPosition: 7 })],
    reacted: reacted(term, second),
  });
  const outcomes = await Promise.allSettled([react(term, [first]), storage.commit(stale), react(term, [third])]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await stored()).toEqual([[first, third].toSorted()]);
  await react(term, [second]);
  await advance(term, third, [first, second, third]);
  expect(await stored()).toEqual([]);
});

describe('when another host begins a term', () => {
  it('retains the events after the place', async () => {
    const { term } = await begin();
    const [a, b, c] = (await append(3)) as [Uuid, Uuid, Uuid];
    await react(term, [a, c]);
    await react(term, [b]);
    await advance(term, a, [a]);
    const other = open();
    const next = await begin(other);
    expect([...next.reacted].toSorted()).toEqual([b, c].toSorted());
    expect(await stored()).toEqual([[b, c].toSorted()]);
    await advance(next.term, c, [b, c], other);
    expect(await stored()).toEqual([]);
  });

  it('retains the events of a failed stream from its position on', async () => {
    const { term } = await begin();
    const stream = newStream();
    const [first] = await appendTo([stream]);
    const [second, third] = [pendingRecord(stream), pendingRecord(stream)];
    await storage.commit(commitRecord({ events: [second, third] }));
    await react(term, [first!, second.id, third.id]);
    const failure = { eventId: second.id, attempts: 1, errorName: 'Error', errorMessage: 'no' };
    await storage.reactions.suspend('Charging', term, { ...failure, streamId: stream, position: 1 }, null, []);
    await advance(term, third.id, []);
    const next = await begin();
    expect([...next.reacted].toSorted()).toEqual([second.id, third.id].toSorted());
    expect(await storage.reactions.resume('Charging', next.term, stream, [second.id, third.id])).toBe(true);
    expect(await stored()).toEqual([]);
  });

  it('leaves the rows of other segments', async () => {
    const { term } = await begin();
    const [event] = await append(1);
    await react(term, [event!]);
    await storage.reactions.begin('Charging', [1, 2]);
    expect(await stored()).toEqual([[event]]);
    await expect(react(term, [event!])).rejects.toThrow(MessageSettledError);
  });

  it('knows the events that the previous host has processed', async () => {
    const { term } = await begin();
    const [event] = await append(1);
    await react(term, [event!]);
    const next = await begin();
    await expect(react(next.term, [event!])).rejects.toThrow(MessageSettledError);
  });

  it('forgets a backlog of many rows', async () => {
    const { term } = await begin();
    const [first] = await append(1);
    await database.query(`
      INSERT INTO svc_events (id, stream_id, position, type, body, timestamp, correlation_id, metadata)
      SELECT gen_random_uuid(), gen_random_uuid(), 0, 'test.Appended', '{}', now(), gen_random_uuid(), '{}'
      FROM generate_series(1, 40000);
      INSERT INTO svc_reacted_rows (reaction, segment, id, events)
      SELECT 'Charging', 0, gen_random_uuid(), ARRAY[id] FROM svc_events WHERE type = 'test.Appended' AND id <> '${first}'`);
    const next = await begin();
    expect(next.term).toBeGreaterThan(term);
    expect(next.reacted).toHaveLength(40_000);
    expect(await stored()).toHaveLength(1);
    await advance(next.term, next.reacted.at(-1)!, next.reacted);
    expect(await stored()).toEqual([]);
  });
});

it('commits processed events once if the answer to a batch is lost', async () => {
  const proxy = await cuttingProxy(database.url);
  storage = open(proxy.url);
  const { term } = await begin();
  const [a, b] = (await append(2)) as [Uuid, Uuid];
  proxy.cutAnswers();
  const withEvent = storage.commit(commitRecord({ events: [pendingRecord(newId())], reacted: reacted(term, a) }));
  const without = storage.commit(commitRecord({ reacted: reacted(term, b) }));
  const outcomes = Promise.allSettled([withEvent, without]);
  await expect.poll(stored).toEqual([[a, b].toSorted()]);
  proxy.restore();
  const [first, second] = await outcomes;
  expect(first.status).toBe('fulfilled');
  expect(second).toMatchObject({ reason: { messageId: b } });
  expect(await stored()).toEqual([[a, b].toSorted()]);
  expect((await database.query('SELECT count(*)::int AS events FROM svc_events')).rows).toEqual([{ events: 3 }]);
  // The host knows the row although no answer has named it.
  await advance(term, b, [a, b]);
  expect(await stored()).toEqual([]);
  await closeAll();
  await proxy.close();
});
