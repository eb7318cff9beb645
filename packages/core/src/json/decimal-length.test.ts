import { describe, expect, it } from 'vitest';
import { ValidationError } from '../errors/index.js';
import { compareDecimal, longestDecimal, plainNotation } from './formats.js';
import { parseJson } from './parse-json.js';
import { readOrThrow, type Reader } from './reader.js';
import { decimal, type Decimal } from './scalar-types.js';
import { readDecimal } from './scalars.js';

const read: Reader<{ amount: Decimal }> = (value, issues) => ({
  amount: readDecimal((value as { amount: unknown }).amount, issues, 'amount'),
});
const amountOf = (literal: string): Decimal => readOrThrow(read, parseJson(`{"amount":${literal}}`)).amount;
/** The issues of an amount. */
function issuesOf(literal: string): ValidationError['issues'] {
  try {
    amountOf(literal);
  } catch (error) {
    if (error instanceof ValidationError) return error.issues;
    throw error;
  }
  return [];
}

const tooLong = [{ pointer: '/amount', detail: 'must have at most 1000 characters' }];

describe('a decimal that is sent as a string', () => {
  it.each([
    ['digits', '9'.repeat(longestDecimal)],
    ['a fraction', `0.${'7'.repeat(longestDecimal - 2)}`],
    ['a sign, which counts', `-${'9'.repeat(longestDecimal - 1)}`],
  ])('is exact with up to 1,000 characters: %s', (_what, text) => {
    expect(text).toHaveLength(1_000);
    expect(amountOf(`"${text}"`)).toBe(text);
    expect(decimal(text)).toBe(text);
  });

  it.each([
    ['digits', '9'.repeat(longestDecimal + 1)],
    ['a fraction', `0.${'7'.repeat(longestDecimal - 1)}`],
    ['a sign', `-${'9'.repeat(longestDecimal)}`],
    ['zeros after the point', `1.${'0'.repeat(1_000_000)}`],
    ['something else', 'x'.repeat(1_000_000)],
  ])('is rejected with its pointer and the limit if it is longer: %s', (_what, text) => {
    expect(issuesOf(`"${text}"`)).toEqual(tooLong);
    expect(() => decimal(text)).toThrow(
      expect.objectContaining({ code: 'SVC_INVALID_VALUE', message: expect.stringContaining('1000') as string }),
    );
  });

  it.each(['1e3', '1E1001', '1e+9', '-1e-1001'])('is rejected with an exponent: %s', (text) => {
    expect(issuesOf(`"${text}"`)).toMatchObject([
      { detail: expect.stringContaining('must be a decimal number') as string },
    ]);
    expect(() => decimal(text)).toThrow(expect.objectContaining({ code: 'SVC_INVALID_VALUE' }));
  });
});

describe('a decimal that is sent as a number', () => {
  it.each([
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    Number.MIN_VALUE,
    -Number.MIN_VALUE,
    -2.2250738585072014e-308,
    -1.2345678901234568e-300,
  ])('is within the limit, with any exponent: %d', (value) => {
    const amount = amountOf(String(value));
    expect(amount).toBe(plainNotation(value));
    expect(amount.length).toBeLessThanOrEqual(longestDecimal);
    expect(readOrThrow(read, { amount }).amount).toBe(amount);
  });

  it.each(['1e400', '1e-400', '1e999999999', `1${'0'.repeat(2_000)}`])('is rejected beyond that: %s', (literal) => {
    expect(issuesOf(literal)).toMatchObject([{ pointer: '/amount' }]);
  });

  it('may have trailing zeros, which are dropped', () => {
    expect(amountOf(`1.5${'0'.repeat(100_000)}`)).toBe('1.5');
  });
});

it('reads a stored decimal that exceeds the limit', () => {
  const stored = '9'.repeat(100_000);
  expect(readOrThrow(read, { amount: stored }, { isStored: true }).amount).toBe(stored);
  expect(() => readOrThrow(read, { amount: 'x'.repeat(2_000) }, { isStored: true })).toThrow(ValidationError);
  expect(() => readOrThrow(read, { amount: stored })).toThrow(ValidationError);
});

it('compares the longest decimals exactly', () => {
  const [least, most] = ['1', '2'].map((last) => `0.${'0'.repeat(longestDecimal - 3)}${last}`) as [string, string];
  expect([compareDecimal(least, most), compareDecimal(`-${least.slice(0, -1)}`, '0')]).toEqual([-1, 0]);
  expect(compareDecimal('9'.repeat(longestDecimal), most)).toBe(1);
});
