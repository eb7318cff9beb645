import { expect, it } from 'vitest';
import { isoText, writeBoolean, writeJson, writeNumber, writeString } from './writing.js';

it.each(['', 'plain', 'quote " and \\', 'line\nbreak', 'é😀', '\ud800', '\u2028', 'x'.repeat(100) + '"'])(
  'writes %j as JSON.stringify does',
  (text) => expect(writeString(text)).toBe(JSON.stringify(text)),
);

it('writes dates as ISO 8601', () => expect(isoText(new Date(0))).toBe('1970-01-01T00:00:00.000Z'));

it.each([
  ['NaN', () => writeNumber(Number.NaN)],
  ['infinity', () => writeNumber(Number.POSITIVE_INFINITY)],
  ['an invalid date', () => isoText(new Date(Number.NaN))],
  ['a date after the year 9999', () => isoText(new Date('+010000-01-01T00:00:00Z'))],
  ['a date before the year 0', () => isoText(new Date('-000001-12-31T23:59:59Z'))],
  ['undefined where a string should be', () => writeString(undefined as never)],
  ['a number where a boolean should be', () => writeBoolean(1 as never)],
  ['undefined as JSON', () => writeJson(undefined)],
])('rejects %s, which could not be read again', (_what, write) => {
  expect(write).toThrow(expect.objectContaining({ code: 'SVC_UNWRITABLE_VALUE' }));
});
