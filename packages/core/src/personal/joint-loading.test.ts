import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { JointLoading } from './joint-loading.js';

/** A loading whose loads end on demand, and reject if they include `bad`. */
function setUp() {
  const loads: string[][] = [];
  const ends: (() => void)[] = [];
  const loading = new JointLoading<string>(async (items) => {
    loads.push([...items]);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (items.includes('bad')) throw new Error('It cannot be loaded.');
  });
  const endNext = async (): Promise<void> => {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.shift()!();
    await turn();
  };
  return { loading, loads, endNext };
}

it('loads together what is requested while a load runs, each item once', async () => {
  const { loading, loads, endNext } = setUp();
  const first = loading.load(['a']);
  await turn();
  const others = [loading.load(['b', 'c']), loading.load(['c', 'd'])];
  await endNext();
  await first;
  await endNext();
  await Promise.all(others);
  expect(loads).toEqual([['a'], ['b', 'c', 'd']]);
});

it('fails only the caller whose item cannot be loaded', async () => {
  const { loading, loads, endNext } = setUp();
  const outcomes = Promise.allSettled([loading.load(['a']), loading.load(['bad']), loading.load(['b'])]);
  for (let i = 0; i < 4; i++) await endNext();
  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(loads).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
  const later = loading.load(['c']);
  await endNext();
  await later;
});

it('rejects if a single caller requested what cannot be loaded, without another attempt', async () => {
  const { loading, loads, endNext } = setUp();
  const outcome = Promise.allSettled([loading.load(['bad'])]);
  await endNext();
  expect(await outcome).toMatchObject([{ status: 'rejected', reason: new Error('It cannot be loaded.') }]);
  expect(loads).toEqual([['bad']]);
});
