import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import type { FormatName } from './constraints.js';
import { compareDecimal, isFormat, lengthOf, parseTimestamp } from './formats.js';
import { isoText } from './writing.js';
import { decimal, uuid } from './scalar-types.js';

const examples: Record<FormatName, { valid: string[]; invalid: string[] }> = {
  email: {
    valid: ['a@b.co', 'first.last+tag@sub.example.com'],
    invalid: ['a', 'a@b', 'a b@c.de', '@b.co', `${'a'.repeat(65)}@b.co`],
  },
  uri: {
    valid: ['https://example.com/a?b#c', 'urn:isbn:1', 'http://xn--bcher-kva.example/%C3%BC'],
    invalid: ['/relative', 'example.com', 'http://a b', 'http://bücher.example', 'urn:ü'],
  },
  hostname: { valid: ['localhost', 'a-b.example.com'], invalid: ['-a', 'a_b', 'a..b', 'a'.repeat(254)] },
  ipv4: { valid: ['127.0.0.1', '255.255.255.255'], invalid: ['256.0.0.1', '1.2.3', '01.2.3.4'] },
  ipv6: { valid: ['::1', '2001:db8::8a2e:370:7334', '::ffff:1.2.3.4'], invalid: ['1.2.3.4', '::g', '[::1]', ':::'] },
  date: { valid: ['2024-02-29', '0001-01-01'], invalid: ['2023-02-29', '2024-13-01', '2024-1-1', '2024-04-31'] },
  time: { valid: ['12:00:00Z', '23:59:59.123+02:00'], invalid: ['24:00:00Z', '12:00:00', '12:60:00Z'] },
  'date-time': {
    valid: ['2024-02-29T12:00:00Z', '2024-01-01T00:00:00.123456-05:30'],
    invalid: [
      '2024-01-01',
      '2024-01-01T00:00:00',
      '2024-02-30T00:00:00Z',
      '2024-01-01T00:00:60Z',
      '2024-01-01 00:00:00Z',
    ],
  },
  duration: { valid: ['PT1.5S', 'P1Y2M3DT4H', 'P2W'], invalid: ['P', 'PT', '1S', 'P1S', 'PT1X'] },
  uuid: {
    valid: ['00000000-0000-0000-0000-000000000001', 'ABCDEFAB-0000-0000-0000-000000000001'],
    invalid: ['0', '00000000000000000000000000000001', 'g0000000-0000-0000-0000-000000000001'],
  },
};

describe.each(Object.entries(examples) as [FormatName, { valid: string[]; invalid: string[] }][])(
  '%s',
  (format, { valid, invalid }) => {
    it.each(valid)('accepts %s', (text) => expect(isFormat(format, text)).toBe(true));
    it.each(invalid)('rejects %s', (text) => expect(isFormat(format, text)).toBe(false));
  },
);

it('accepts a URI of 2048 characters, and rejects a longer one', () => {
  expect([2048, 2049].map((length) => isFormat('uri', 'urn:'.padEnd(length, 'a')))).toEqual([true, false]);
});

it('parses the instant of a timestamp', () => {
  expect(parseTimestamp('2024-01-01T01:00:00.5+01:00')?.toISOString()).toBe('2024-01-01T00:00:00.500Z');
  expect(parseTimestamp('2024-01-01t00:00:00z')?.toISOString()).toBe('2024-01-01T00:00:00.000Z');
});

it.each(['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59+01:00', '0000-01-01T01:00:00+01:00'])(
  'parses %s, and parses it again after it was written',
  (text) => expect(parseTimestamp(isoText(parseTimestamp(text)!))).toEqual(parseTimestamp(text)),
);

it.each(['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00'])(
  'rejects %s, whose year in UTC does not have four digits',
  (text) => expect(parseTimestamp(text)).toBeUndefined(),
);

it.each([
  ['1', '1.00', 0],
  ['-0.00', '0', 0],
  ['0.1', '0.09', 1],
  ['-2', '1', -1],
  ['-2', '-1', -1],
  ['123456789012345678901234567890.2', '123456789012345678901234567890.1', 1],
])('compares %s with %s', (text, bound, order) => expect(Math.sign(compareDecimal(text, bound))).toBe(order));

it('counts characters as code points', () => {
  expect(lengthOf('añ😀')).toBe(3);
  expect(lengthOf('\ud800x')).toBe(2);
});

it('converts only valid texts to ids and decimals', () => {
  expect(uuid('ABCDEFAB-0000-0000-0000-000000000001')).toBe('abcdefab-0000-0000-0000-000000000001');
  expect(decimal('12.50')).toBe('12.50');
  expect(() => uuid('x')).toThrow(expect.objectContaining({ code: 'SVC_INVALID_VALUE' }));
  expect(() => decimal('1e3')).toThrow(expect.objectContaining({ code: 'SVC_INVALID_VALUE' }));
});

it('converts the results of exact calculations to decimals, and no numbers', () => {
  expect(decimal(new BigNumber('0.1').plus('0.2'))).toBe('0.3');
  const large = new BigNumber('12345678901234567890.123456789').times('1e30');
  expect(decimal(large)).toBe('12345678901234567890123456789000000000000000000000');
  expect(decimal(new BigNumber('1e-20'))).toBe('0.00000000000000000001');
  const invalid = expect.objectContaining({ code: 'SVC_INVALID_VALUE' }) as Error;
  for (const result of [new BigNumber(1).div(0), new BigNumber(Number.NaN), new BigNumber('1e2000')]) {
    expect(() => decimal(result)).toThrow(invalid);
  }
  // @ts-expect-error -- a number is not exact
  expect(() => decimal(0.5)).toThrow(invalid);
});
