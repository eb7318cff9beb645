import { expect, it, vi } from 'vitest';
import { newId } from '../messages/index.js';
import { MessageSettledError, type StoredOutgoing } from '../storage/index.js';
import { systemStreamWorker } from './system-stream-worker.js';

it('reduces the batch size after a failure of the database, and increases it after a success', async () => {
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
  ];
  const limits: number[] = [];
  const reported: unknown[] = [];
  let appended = 0;
  const worker = systemStreamWorker(
    {
      deliverSystemEvents(limit) {
        limits.push(limit);
        const answer = answers.shift()!;
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
      readOutgoing: () => Promise.reject(new Error('Not watched.')),
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
  expect(limits).toEqual([1_000, 1_000, 250, 63, 126, 252, 504, 1_000, 1_000]);
  expect(reported).toHaveLength(2);
  expect(appended).toBe(7);
});

it('delivers a record in the process if the database cannot append it, then lets the database continue', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(-1);
  const steps: unknown[] = [];
  const waiting = ['odd', 'plain'];
  const worker = systemStreamWorker(
    {
      deliverSystemEvents(limit) {
        steps.push(limit);
        if (waiting.includes('odd')) return Promise.reject(new Error('unsupported Unicode escape sequence'));
        return Promise.resolve(waiting.splice(0, limit).length);
      },
      readOutgoing: () => Promise.resolve(waiting.slice(0, 1) as unknown as StoredOutgoing[]),
    },
    {
      isWatched: () => false,
      deliver: (messages) => void steps.push(waiting.splice(0, messages.length)),
      appended: () => {},
      report: () => {},
    },
  );
  worker.wake();
  await worker.idle();
  expect(steps).toEqual([1_000, 250, 63, 16, 4, 1, ['odd'], 1, 2]);
  expect(waiting).toEqual([]);
  random.mockRestore();
});

it('delivers in the process while the system stream is watched', async () => {
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

it('delivers page by page in the process, and continues if another host was faster', async () => {
  const reported: unknown[] = [];
  const failures = [new MessageSettledError(newId()), new Error('The disk is full.')];
  const waiting = Array.from({ length: 600 }, () => ({ id: newId() }) as StoredOutgoing);
  const pages: number[] = [];
  const worker = systemStreamWorker(
    {
      deliverSystemEvents: () => Promise.reject(new Error('Watched.')),
      readOutgoing: (lane, limit) => Promise.resolve(lane === 'system' ? waiting.slice(0, limit) : []),
    },
    {
      isWatched: () => true,
      deliver: (messages) => {
        const failure = failures.shift();
        if (failure !== undefined) return Promise.reject(failure);
        pages.push(waiting.splice(0, messages.length).length);
        return undefined;
      },
      appended: () => expect.unreachable('The database has appended nothing.'),
      report: (error) => reported.push(error),
    },
  );
  worker.wake();
  await worker.idle();
  expect(pages).toEqual([500, 100]);
  expect(reported).toEqual([new Error('The disk is full.')]);
});
