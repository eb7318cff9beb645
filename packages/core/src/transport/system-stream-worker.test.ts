import { expect, it } from 'vitest';
import { systemStreamWorker } from './system-stream-worker.js';

it('asks a database that failed for less at once, and for more again when it goes', async () => {
  const answers: (number | Error)[] = [
    1_000,
    new Error('too long'),
    new Error('too long'),
    63,
    126,
    252,
    504,
    1_000,
    3,
    0,
  ];
  const asked: number[] = [];
  const reported: unknown[] = [];
  let appended = 0;
  const worker = systemStreamWorker(
    {
      deliverSystemEvents(limit) {
        asked.push(limit);
        const answer = answers.shift()!;
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
      readOutgoing: () => Promise.reject(new Error('Nobody looks.')),
    },
    {
      isWatched: () => false,
      deliver: () => {},
      appended: () => appended++,
      report: (error) => reported.push(error),
    },
  );
  worker.wake();
  await worker.idle();
  expect(asked).toEqual([1_000, 1_000, 250, 63, 126, 252, 504, 1_000, 1_000, 1_000]);
  expect(reported).toHaveLength(2);
  expect(appended).toBe(7);
});

it('delivers by way of the process while somebody looks', async () => {
  let isWatched = true;
  const steps: string[] = [];
  const worker = systemStreamWorker(
    {
      deliverSystemEvents: () => Promise.resolve(steps.push('database') && 0),
      readOutgoing: () => Promise.resolve((steps.push('process'), [])),
    },
    { isWatched: () => isWatched, deliver: () => {}, appended: () => {}, report: () => {} },
  );
  worker.wake();
  await worker.idle();
  isWatched = false;
  worker.wake();
  await worker.idle();
  expect(steps).toEqual(['process', 'database']);
});
