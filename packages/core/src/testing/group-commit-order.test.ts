/** Records that must not be in concurrent transactions, nor in the same one, because they change the same thing. */
import { describe, expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { GroupCommit, type CommitOutcome, type CommitRecord } from '../storage/index.js';
import { commitRecord, pendingRecord } from './records.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

function groupWith(disjoint: boolean) {
  const batches: (readonly CommitRecord[])[] = [];
  const ends: (() => void)[] = [];
  const commitBatch = (records: readonly CommitRecord[]): Promise<readonly CommitOutcome[]> =>
    new Promise((resolve) => {
      batches.push(records);
      ends.push(() => resolve(records.map(() => null)));
    });
  const group = new GroupCommit(commitBatch, { transactions: 2, largestBatch: 100, disjoint, eager: false });
  return { group, batches, ends };
}

const id = newId();
const noSchedules = { settled: null, cancelled: [], added: [] };
const key = { id: 'key', requestHash: 'hash', messageId: newId(), result: '{}' };
const reacted = { reaction: 'r', segment: 0, term: 1, eventId: id };

describe.each<[string, Partial<CommitRecord>, Partial<CommitRecord>]>([
  ['append to the same stream', { events: [pendingRecord(id)] }, { events: [pendingRecord(newId())] }],
  [
    'deliver the same message',
    { delivered: { lane: 'transport', ids: [newId(), id] } },
    { delivered: { lane: 'transport', ids: [newId()] } },
  ],
  ['receive the same message', { received: [newId(), id] }, { received: [newId()] }],
  ['have the same idempotency key', { idempotency: key }, { idempotency: { ...key, id: 'other' } }],
  ['resolve the same dead letter', { resolved: id }, { resolved: newId() }],
  [
    'settle the same scheduled command',
    { schedules: { ...noSchedules, settled: id } },
    { schedules: { ...noSchedules, settled: newId() } },
  ],
  [
    'cancel the same key',
    { schedules: { ...noSchedules, cancelled: [{ tenant: 'a', key: 'k' }] } },
    { schedules: { ...noSchedules, cancelled: [{ tenant: 'a', key: 'l' }] } },
  ],
  ['process the same event in a reaction', { reacted }, { reacted: { ...reacted, reaction: 's' } }],
])('records that %s', (_what, fields, others) => {
  it('are committed one after the other, if the database checks all records before it writes any', async () => {
    const { group, batches, ends } = groupWith(true);
    const [first, second, other] = [commitRecord(fields), commitRecord(fields), commitRecord(others)];
    const committing = [group.commit(first), group.commit(second), group.commit(other)];
    await turn();
    expect(batches.map((batch) => batch.map((one) => committedAs(one)))).toEqual([['first', 'other']]);
    ends[0]!();
    await turn();
    expect(batches.slice(1).map((batch) => batch.map((one) => committedAs(one)))).toEqual([['second']]);
    ends[1]!();
    await Promise.all(committing);
    // What a transaction has held is free again.
    void group.commit(first);
    await turn();
    expect(batches).toHaveLength(3);

    function committedAs(one: CommitRecord): string {
      return one === first ? 'first' : one === second ? 'second' : 'other';
    }
  });

  it('share a transaction, if the database writes one after the other', async () => {
    const { group, batches } = groupWith(false);
    const records = [commitRecord(fields), commitRecord(fields), commitRecord(others)];
    for (const one of records) void group.commit(one);
    await turn();
    expect(batches).toEqual([records]);
  });
});

it('holds back a record for each thing that it shares with a waiting one', async () => {
  const { group, batches, ends } = groupWith(true);
  const [stream, message] = [newId(), newId()];
  const first = commitRecord({ events: [pendingRecord(stream)] });
  const both = commitRecord({ events: [pendingRecord(stream)], received: [message] });
  const last = commitRecord({ received: [message] });
  for (const one of [first, both, last]) void group.commit(one);
  await turn();
  expect(batches).toEqual([[first]]);
  ends[0]!();
  await turn();
  expect(batches[1]).toEqual([both]);
  ends[1]!();
  await turn();
  expect(batches[2]).toEqual([last]);
});
