import assert from 'node:assert/strict';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../messages/index.js';
import { collect, commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';

/** When signals abort, counted from the call of `commit`. The last ones come after most commits. */
const moments: readonly (() => Promise<unknown>)[] = [
  () => Promise.resolve(),
  () => nextTurn(),
  () => nextTurn().then(() => nextTurn()),
  ...[1, 2, 3, 5, 8].map((milliseconds) => () => sleep(milliseconds)),
];

/** The effect of a signal on a record that is being committed. */
export const cancellationCases: readonly StorageCase[] = [
  {
    name: 'commits nothing of a record whose signal has aborted',
    async run(open) {
      const storage = await open();
      const reason = new Error('The caller has disconnected.');
      const message = newId();
      const record = commitRecord({ events: [pendingRecord(newId()), pendingRecord(newId())], received: [message] });
      await assert.rejects(async () => await storage.commit(record, AbortSignal.abort(reason)), reason);
      assert.deepEqual(await collect(storage.readAll()), []);
      await storage.commit(record, new AbortController().signal);
      assert.equal((await collect(storage.readAll())).length, 2);
    },
  },
  {
    name: 'commits a record completely or not at all, and reports which, whenever its signal aborts',
    async run(open) {
      const storage = await open();
      for (let round = 0; round < 3; round++) {
        const attempts = moments.flatMap((moment) => {
          const ending = new AbortController();
          const events = [pendingRecord(newId()), pendingRecord(newId())];
          const committing = (async (): Promise<void> =>
            await storage.commit(commitRecord({ events }), ending.signal))();
          void moment().then(() => ending.abort(new Error('The caller has disconnected.')));
          const concurrent = pendingRecord(newId());
          const other = (async (): Promise<void> => await storage.commit(commitRecord({ events: [concurrent] })))();
          return [
            { events, committing, mayFail: true },
            { events: [concurrent], committing: other, mayFail: false },
          ];
        });
        const outcomes = await Promise.allSettled(attempts.map(({ committing }) => committing));
        for (const [i, { events, mayFail }] of attempts.entries()) {
          const isCommitted = outcomes[i]!.status === 'fulfilled';
          assert.ok(isCommitted || mayFail, 'a record without a signal is committed');
          for (const { streamId } of events) assert.equal(await storage.lastPosition(streamId), isCommitted ? 0 : -1);
        }
      }
    },
  },
];
