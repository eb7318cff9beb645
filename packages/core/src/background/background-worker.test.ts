import { expect, it } from 'vitest';
import { BackgroundWorker, type Step } from './background-worker.js';

const worker = (step: Step, reported: unknown[] = []): BackgroundWorker =>
  new BackgroundWorker(step, (error) => reported.push(error));

it('works as long as there may be more', async () => {
  let left = 3;
  const working = worker(() => Promise.resolve(--left > 0));
  working.wake();
  await working.idle();
  expect(left).toBe(0);
});

it('looks again when it is woken after the last look and before its end', async () => {
  let looks = 0;
  const working: BackgroundWorker = worker(() => {
    if (++looks === 1) working.wake();
    return Promise.resolve(false);
  });
  working.wake();
  await working.idle();
  expect(looks).toBe(2);
});

it('tells a step once that it was woken, and does not look again for that', async () => {
  const told: boolean[] = [];
  const working: BackgroundWorker = worker((wasWoken) => {
    told.push(wasWoken());
    working.wake();
    told.push(wasWoken(), wasWoken());
    return Promise.resolve(false);
  });
  working.wake();
  await working.idle();
  expect(told).toEqual([false, true, false]);
});

it('takes what happens in one turn of the event loop together', async () => {
  let looks = 0;
  const working = worker(() => Promise.resolve(++looks < 0));
  for (let i = 0; i < 10; i++) {
    working.wake();
    await Promise.resolve();
  }
  await working.idle();
  expect(looks).toBe(1);
});

it('reports what fails, and tries it again', async () => {
  const reported: unknown[] = [];
  let failures = 2;
  const working = worker(() => (failures-- > 0 ? Promise.reject(new Error('no')) : Promise.resolve(false)), reported);
  working.wake();
  await working.idle();
  expect(reported).toHaveLength(2);
});

it('stops in the middle of its work, also while it waits to try again, and does nothing more', async () => {
  let steps = 0;
  const busy = worker(async () => {
    steps++;
    await new Promise((resolve) => setImmediate(resolve));
    return true;
  });
  busy.wake();
  await expect.poll(() => steps).toBeGreaterThan(2);
  await busy.stop();
  const done = steps;
  busy.wake();
  await new Promise((resolve) => setImmediate(resolve));
  expect(steps).toBe(done);

  const failing = worker(() => Promise.reject(new Error('no')));
  failing.wake();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await failing.stop();
});

it('waits as long as a step says, unless it is woken or stopped', async () => {
  const steps: number[] = [];
  const waits = [60_000, 20, 60_000];
  const working = worker(() => {
    steps.push(performance.now());
    return Promise.resolve(waits[steps.length - 1] ?? 60_000);
  });
  working.wake();
  await expect.poll(() => steps.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(steps.length, 'it waits').toBe(1);
  working.wake();
  await expect.poll(() => steps.length).toBe(3);
  expect(steps[2]! - steps[1]!).toBeGreaterThanOrEqual(18);
  expect(working.isBusy, 'there is something left').toBe(true);
  await working.stop();
  expect(steps).toHaveLength(3);
});
