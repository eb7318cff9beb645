import { expect, it } from 'vitest';
import { Recent } from './recent.js';

const database = {};

it('reads once for all who ask within its time', async () => {
  const recent = new Recent<number>(60_000);
  let reads = 0;
  const ask = (key = ''): Promise<number> => recent.get(database, key, async () => ++reads);
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect(await ask()).toBe(1);
  expect(await ask('other')).toBe(2);
  expect(await recent.get({}, '', async () => ++reads)).toBe(3);
});

it('reads again after its time', async () => {
  const recent = new Recent<number>(0);
  let reads = 0;
  const ask = (): Promise<number> => recent.get(database, '', async () => ++reads);
  expect(await ask()).toBe(1);
  expect(await ask()).toBe(2);
});

it('does not remember errors', async () => {
  const recent = new Recent<number>(60_000);
  const failure = recent.get(database, '', () => Promise.reject(new Error('The database is unavailable.')));
  await expect(failure).rejects.toThrow('unavailable');
  await expect(recent.get(database, '', async () => 1)).resolves.toBe(1);
});
