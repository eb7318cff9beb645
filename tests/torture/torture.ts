import { expect } from 'vitest';
import { failureTexts, torture, type TortureOptions, type TortureResult } from '../../tools/torture/index.mjs';

/** `SVC_TEST_SEED` repeats the random choices of a test. */
export const seed = Number(process.env['SVC_TEST_SEED'] ?? 1 + Math.floor(Math.random() * 1e9));

/** Runs a short version of `npm run torture`, and expects that every invariant holds and was checked on something. */
export async function expectSound(run: string, options: Partial<TortureOptions>): Promise<TortureResult> {
  const result = await torture(run, { count: 1, seed, minutes: 10, hosts: 1, ...options });
  expect(failureTexts(result), `seed ${seed}`).toEqual([]);
  expect(result.invariants.filter(({ checked }) => checked === 0)).toEqual([]);
  return result;
}
