import { compareDecimal, longestDecimal } from '@svc/core/json';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortableDecimal } from './sortable-decimal.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
const digits = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((all) => all.join(''));
const half = longestDecimal / 2 - 1;
const decimal = fc.tuple(fc.boolean(), digits(half), fc.option(digits(half))).map(([isNegative, whole, fraction]) => {
  const text = `${whole.replace(/^0+(?=\d)/, '')}${fraction === null ? '' : `.${fraction}`}`;
  return isNegative ? `-${text}` : text;
});

it(`orders texts as the decimals are ordered, up to the longest (SVC_TEST_SEED=${seed})`, () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const [left, right] = [sortableDecimal(a), sortableDecimal(b)];
      // Adding 0 makes -0 of equal decimals 0.
      expect(left < right ? -1 : left > right ? 1 : 0).toBe(Math.sign(compareDecimal(a, b)) + 0);
    }),
    { seed, numRuns: 2_000 },
  );
});

it('takes linear time, also for zeros before the last digit', () => {
  const started = performance.now();
  expect(sortableDecimal(`0.${'0'.repeat(1_000_000)}1`)).toHaveLength(1_000_007);
  expect(performance.now() - started).toBeLessThan(1_000);
});
