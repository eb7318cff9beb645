/** Which records share a transaction, and when it starts. */
import { describe, expect, it } from 'vitest';
import { wrap, newId } from '../messages/index.js';
import { GroupCommit, type CommitOutcome, type CommitRecord, type GroupCommitOptions } from '../storage/index.js';
import { commitRecord, pendingRecord } from './records.js';
import { outgoingRecord } from './storage-outbox-cases.js';

const options: GroupCommitOptions = { transactions: 1, largestBatch: 10, disjoint: false, eager: false };
const record = (events = 1): CommitRecord =>
  commitRecord({ events: Array.from({ length: events }, () => pendingRecord(newId())) });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const sameTurn = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** A database whose transactions end when the test ends them. */
function groupWith(changes: Partial<GroupCommitOptions>) {
  const batches: (readonly CommitRecord[])[] = [];
  const ends: (() => void)[] = [];
  const group = new GroupCommit(
    (records) =>
      new Promise<readonly CommitOutcome[]>((resolve) => {
        batches.push(records);
        ends.push(() => resolve(records.map(() => null)));
      }),
    { ...options, ...changes },
  );
  const sizes = (): number[] => batches.map(({ length }) => length);
  return { group, batches, ends, sizes };
}

const ids = (count: number) => Array.from({ length: count }, () => newId());

function scheduled() {
  const { id, type, correlationId, causationId, scope, metadata } = wrap('test.Remind', {});
  const message = { id, type, body: '{}', timestamp: 0, correlationId, causationId, scope, metadata };
  return { due: { at: 0 }, key: null, message };
}

const reacted = { reaction: 'r', segment: 0, term: 1, eventId: newId() };
const noSchedules = { settled: null, cancelled: [], added: [] };

describe.each<[string, (count: number) => CommitRecord]>([
  ['events', (count) => record(count)],
  ['outgoing messages', (count) => commitRecord({ outgoing: Array.from({ length: count }, () => outgoingRecord({})) })],
  ['delivered messages', (count) => commitRecord({ delivered: { lane: 'system', ids: ids(count) } })],
  ['received messages', (count) => commitRecord({ received: ids(count) })],
  [
    'scheduled commands',
    (count) => commitRecord({ schedules: { ...noSchedules, added: Array.from({ length: count }, scheduled) } }),
  ],
  ['events and an event of a reaction', (count) => ({ ...record(count - 1), reacted })],
  [
    'messages and events',
    (count) => commitRecord({ ...record(count - 4), received: ids(3), delivered: { lane: 'system', ids: ids(1) } }),
  ],
])('the size of a transaction counts %s', (_what, make) => {
  it('up to the largest size', async () => {
    const { group, sizes } = groupWith({});
    void group.commit(record());
    void group.commit(make(9));
    await turn();
    expect(sizes()).toEqual([2]);
  });

  it('beyond it, they go into the next one', async () => {
    const { group, sizes, ends } = groupWith({});
    void group.commit(record());
    void group.commit(make(10));
    await turn();
    expect(sizes()).toEqual([1]);
    ends[0]!();
    await turn();
    expect(sizes()).toEqual([1, 1]);
  });
});

it('commits a record that exceeds the largest size alone', async () => {
  const { group, sizes, ends } = groupWith({});
  void group.commit(record(25));
  void group.commit(record());
  await turn();
  expect(sizes()).toEqual([1]);
  ends[0]!();
  await turn();
  expect(sizes()).toEqual([1, 1]);
});

it('lets small records pass a large one that does not fit, except those of its streams', async () => {
  const { group, batches, ends } = groupWith({});
  const [small, large, other] = [record(2), record(10), record(1)];
  const sameStream = commitRecord({ events: [pendingRecord(large.events[0]!.streamId)] });
  for (const one of [small, large, sameStream, other]) void group.commit(one);
  await turn();
  expect(batches).toEqual([[small, other]]);
  ends[0]!();
  await turn();
  expect(batches[1]).toEqual([large]);
  ends[1]!();
  await turn();
  expect(batches[2]).toEqual([sameStream]);
});

it('does not split a batch into parts of less than sixteen records', async () => {
  const { group, sizes } = groupWith({ transactions: 2, largestBatch: 100 });
  for (let i = 0; i < 20; i++) void group.commit(record());
  await turn();
  expect(sizes()).toEqual([16, 4]);
});

it('runs no more transactions at once than the database allows', async () => {
  const { group, sizes, ends } = groupWith({ transactions: 2, largestBatch: 1 });
  for (let i = 0; i < 4; i++) void group.commit(record());
  await turn();
  expect(sizes()).toEqual([1, 1]);
  ends[1]!();
  await turn();
  expect(sizes()).toEqual([1, 1, 1]);
  for (const end of ends) end();
  await turn();
  expect(sizes()).toEqual([1, 1, 1, 1]);
});

it('collects the records of a turn, also those that arrive after a batch of the turn has started', async () => {
  const sizes: number[] = [];
  const group = new GroupCommit(
    (records) => {
      sizes.push(records.length);
      if (sizes.length === 1) queueMicrotask(() => void group.commit(record()));
      return new Promise(() => {});
    },
    { ...options, transactions: 2 },
  );
  void group.commit(record());
  void group.commit(record());
  setImmediate(() => void group.commit(record()));
  await turn();
  expect(sizes).toEqual([2, 2]);
});

it('waits for the end of the turn after a record that was alone, unless the database commits concurrently', async () => {
  const { group, sizes, ends } = groupWith({});
  const first = group.commit(record());
  await turn();
  ends[0]!();
  await first;
  void group.commit(record());
  await sameTurn();
  expect(sizes()).toEqual([1]);
  void group.commit(record());
  await turn();
  expect(sizes()).toEqual([1, 2]);
});

it('is idle once no record waits and no transaction runs', async () => {
  const { group, ends } = groupWith({ largestBatch: 1 });
  let isIdle = false;
  const committing = [group.commit(record()), group.commit(record())];
  const idle = group.idle().then(() => (isIdle = true));
  await turn();
  ends[0]!();
  await turn();
  expect([isIdle, ends.length]).toEqual([false, 2]);
  ends[1]!();
  await idle;
  await Promise.all(committing);
  await expect(group.idle()).resolves.toBeUndefined();
});

it('is idle after a transaction that failed', async () => {
  const group = new GroupCommit(() => Promise.reject(new Error('no connection')), options);
  const committing = group.commit(record());
  const idle = group.idle();
  await expect(committing).rejects.toThrow('no connection');
  await expect(idle).resolves.toBeUndefined();
});

it('takes an outcome that is missing as committed', async () => {
  const group = new GroupCommit(() => Promise.resolve([]), options);
  await expect(group.commit(record())).resolves.toBeUndefined();
});

it('commits nothing of a record whose signal has aborted before', async () => {
  const { group, batches } = groupWith({});
  const reason = new Error('gone');
  await expect(group.commit(record(), AbortSignal.abort(reason))).rejects.toBe(reason);
  await turn();
  expect(batches).toEqual([]);
});
