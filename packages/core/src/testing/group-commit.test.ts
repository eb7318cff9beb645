import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { commitRecord, pendingRecord } from './records.js';
import { GroupCommit, type CommitOutcome, type CommitRecord } from '../storage/index.js';

/** A database that ends its transactions when the test says so. */
function trialDatabase() {
  const batches: { records: readonly CommitRecord[]; end: (outcomes?: readonly CommitOutcome[]) => void }[] = [];
  const commitBatch = (records: readonly CommitRecord[]): Promise<readonly CommitOutcome[]> =>
    new Promise((resolve) => {
      batches.push({ records, end: (outcomes = records.map(() => null)) => resolve(outcomes) });
    });
  return { batches, commitBatch };
}

const options = { transactions: 2, largestBatch: 1_000, disjoint: true, eager: false };
const record = (streamId = newId()): CommitRecord => commitRecord({ events: [pendingRecord(streamId)] });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

it('distributes the records of one turn among the transactions, and collects later ones', async () => {
  const { batches, commitBatch } = trialDatabase();
  const group = new GroupCommit(commitBatch, options);
  const committing = Array.from({ length: 40 }, () => group.commit(record()));
  await turn();
  expect(batches.map(({ records }) => records.length)).toEqual([20, 20]);
  committing.push(...Array.from({ length: 30 }, () => group.commit(record())));
  await turn();
  expect(batches).toHaveLength(2);
  batches[0]!.end();
  await turn();
  expect(batches[2]?.records).toHaveLength(30);
  for (const { end } of batches) end();
  await Promise.all(committing);
  await expect(group.idle()).resolves.toBeUndefined();
});

it('sends a record at once if the previous one was alone, until several arrive together', async () => {
  const { batches, commitBatch } = trialDatabase();
  const group = new GroupCommit(commitBatch, { ...options, eager: true });
  const sizes = (): number[] => batches.map(({ records }) => records.length);
  const sameTurn = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
  const committing = [group.commit(record())];
  await sameTurn();
  expect(sizes()).toEqual([]);
  await turn();
  expect(sizes()).toEqual([1]);
  batches[0]!.end();
  await committing[0];
  committing.push(group.commit(record()));
  await sameTurn();
  expect(sizes()).toEqual([1, 1]);
  committing.push(group.commit(record()), group.commit(record()));
  await sameTurn();
  expect(sizes()).toEqual([1, 1, 2]);
  for (const { end } of batches) end();
  await Promise.all(committing);
  committing.push(group.commit(record()));
  await sameTurn();
  expect(sizes()).toEqual([1, 1, 2]);
  await turn();
  expect(sizes()).toEqual([1, 1, 2, 1]);
  batches[3]!.end();
  await Promise.all(committing);
});

it('commits one record of a stream at a time, in order, without delaying other streams', async () => {
  const { batches, commitBatch } = trialDatabase();
  const group = new GroupCommit(commitBatch, options);
  const [hot, other] = [newId(), newId()];
  const both = commitRecord({ events: [pendingRecord(hot), pendingRecord(other)] });
  const records = [record(hot), both, record(other), record()];
  const committing = records.map((one) => group.commit(one));
  await turn();
  // The record of both streams waits for the first, and the next one waits for it, so that the order of its stream is preserved.
  expect(batches.map((batch) => batch.records)).toEqual([[records[0], records[3]]]);
  batches[0]!.end();
  await turn();
  expect(batches[1]?.records).toEqual([records[1]]);
  batches[1]!.end();
  await turn();
  expect(batches[2]?.records).toEqual([records[2]]);
  batches[2]!.end();
  await Promise.all(committing);
});

it('does not let two records deliver or receive the same message at once', async () => {
  const { batches, commitBatch } = trialDatabase();
  const group = new GroupCommit(commitBatch, options);
  const id = newId();
  void group.commit(commitRecord({ delivered: { lane: 'system', ids: [id] } }));
  void group.commit(commitRecord({ delivered: { lane: 'system', ids: [id] } }));
  void group.commit(commitRecord({ received: [newId()] }));
  await turn();
  expect(batches.map(({ records }) => records.length)).toEqual([2]);
});

it('does not let two records change the same scheduled command at once', async () => {
  const { batches, commitBatch } = trialDatabase();
  const group = new GroupCommit(commitBatch, options);
  const none = { settled: null, cancelled: [], added: [] };
  const cancelling = (tenant: string): CommitRecord =>
    commitRecord({ schedules: { ...none, cancelled: [{ tenant, key: 'k' }] } });
  const settling = commitRecord({ schedules: { ...none, settled: newId() } });
  for (const one of [cancelling('a'), cancelling('a'), cancelling('b'), settling, settling]) void group.commit(one);
  await turn();
  expect(batches.flatMap(({ records }) => records)).toEqual([cancelling('a'), cancelling('b'), settling]);
});

it('settles each record with its own result, and all of them if the transaction fails', async () => {
  const { batches, commitBatch } = trialDatabase();
  const group = new GroupCommit(commitBatch, options);
  const rejected = new Error('rejected');
  const committing = [group.commit(record()), group.commit(record())];
  await turn();
  batches[0]!.end([rejected, null]);
  await expect(committing[0]).rejects.toBe(rejected);
  await expect(committing[1]).resolves.toBeUndefined();

  const broken = new GroupCommit(() => Promise.reject(rejected), options);
  await expect(broken.commit(record())).rejects.toBe(rejected);
  await expect(broken.commit(record())).rejects.toBe(rejected);
});

it('limits the size of a transaction', async () => {
  const { batches, commitBatch } = trialDatabase();
  const group = new GroupCommit(commitBatch, { transactions: 1, largestBatch: 25, disjoint: false, eager: false });
  for (let i = 0; i < 60; i++) void group.commit(record());
  await turn();
  expect(batches[0]?.records).toHaveLength(25);
  batches[0]!.end();
  await turn();
  expect(batches[1]?.records).toHaveLength(25);
});

it('removes a waiting record at once if its signal aborts, and commits the next ones', async () => {
  const { batches, commitBatch } = trialDatabase();
  const group = new GroupCommit(commitBatch, { ...options, transactions: 1 });
  const [stream, ending] = [newId(), new AbortController()];
  const first = group.commit(record(stream));
  await turn();
  const waiting = group.commit(record(stream), ending.signal);
  const behind = group.commit(record(stream));
  const reason = new Error('The caller has disconnected.');
  ending.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(batches, 'the running transaction has not ended').toHaveLength(1);
  batches[0]!.end();
  await first;
  await turn();
  expect(batches[1]!.records).toHaveLength(1);
  batches[1]!.end();
  await behind;
});

it('ignores a signal after its record was sent', async () => {
  const { batches, commitBatch } = trialDatabase();
  const group = new GroupCommit(commitBatch, options);
  const ending = new AbortController();
  const committing = group.commit(record(), ending.signal);
  await turn();
  ending.abort();
  batches[0]!.end();
  await expect(committing).resolves.toBeUndefined();
});

it('is idle after the last waiting record is removed', async () => {
  const { batches, commitBatch } = trialDatabase();
  const group = new GroupCommit(commitBatch, options);
  const ending = new AbortController();
  const waiting = group.commit(record(), ending.signal);
  const idle = group.idle();
  ending.abort();
  await expect(waiting).rejects.toThrow('abort');
  await expect(idle).resolves.toBeUndefined();
  await turn();
  expect(batches).toEqual([]);
});

it('commits a single record in the context of its unit of work, and several in none', async () => {
  const current = new AsyncLocalStorage<string>();
  const { batches, commitBatch } = trialDatabase();
  const seen: unknown[] = [];
  const noting: typeof commitBatch = (records) => {
    seen.push([records.length, current.getStore()]);
    return commitBatch(records);
  };
  const group = new GroupCommit(noting, { ...options, transactions: 1 });
  const commit = (name: string): Promise<void> => current.run(name, () => group.commit(record()));
  const committing = [commit('first')];
  await turn();
  committing.push(commit('second'), commit('third'));
  batches[0]!.end();
  await turn();
  // Waits while the others are committed.
  committing.push(commit('fourth'));
  batches[1]!.end();
  await turn();
  batches[2]!.end();
  await Promise.all(committing);
  expect(seen).toEqual([
    [1, 'first'],
    [2, undefined],
    [1, 'fourth'],
  ]);
});
