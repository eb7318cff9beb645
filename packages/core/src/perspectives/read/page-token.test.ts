import { describe, expect, it } from 'vitest';
import { longestIndexedText, type IndexedType } from '../../storage/index.js';
import { longestDecimal } from '../../json/index.js';
import { readPageToken, writePageToken } from './page-token.js';

it.each(['\u4e00', '\u0001', '\u{1f600}'])(
  'reads every token that it has written, including the longest of %j',
  (character) => {
    const longest = character.repeat(longestIndexedText / character.length);
    const place = { value: longest, key: longest };
    const sort = { column: 'title', descending: false };
    const types = new Map<string, IndexedType>([['title', 'text']]);
    const token = writePageToken('Orders', sort, [], place);
    expect(readPageToken('Orders', sort, [], types, token)).toEqual(place);
  },
);

it('reads a token with the longest decimal and the longest key', () => {
  const place = { value: `-${'9'.repeat(longestDecimal - 1)}`, key: '\u0001'.repeat(longestIndexedText) };
  const sort = { column: 'price', descending: true };
  const types = new Map<string, IndexedType>([['price', 'decimal']]);
  const token = writePageToken('Orders', sort, [], place);
  expect(readPageToken('Orders', sort, [], types, token)).toEqual(place);
});

describe('a page token', () => {
  const sort = { column: 'title', descending: false };
  const types = new Map<string, IndexedType>([
    ['title', 'text'],
    ['placedAt', 'timestamp'],
  ]);
  const read = (token: string, order = sort) => readPageToken('Orders', order, [], types, token);
  /** The parts of a token: the name of its list, a value, a key and perhaps an owner. */
  const partsOf = (token: string): unknown[] => JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[];
  const tokenOf = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const [list] = partsOf(writePageToken('Orders', sort, [], { value: 'a', key: 'k' }));

  it('has an owner only if its place has one', () => {
    expect(partsOf(writePageToken('Orders', sort, [], { value: 'a', key: 'k' }))).toEqual([list, 'a', 'k']);
    expect(partsOf(writePageToken('Orders', sort, [], { value: 'a', key: 'k', owner: '' }))).toEqual([
      list,
      'a',
      'k',
      '',
    ]);
    expect(read(tokenOf([list, 'a', 'k']))).not.toHaveProperty('owner');
    expect(read(tokenOf([list, 'a', 'k', '']))).toEqual({ value: 'a', key: 'k', owner: '' });
  });

  it.each<[string, unknown]>([
    ['no list', null],
    ['a text', 'abc'],
    ['nothing', []],
    ['no key', [list, 'a']],
    ['too many values', [list, 'a', 'k', 'o', 'x']],
    ['a value of another type', [list, 7, 'k']],
    ['a value that databases cannot store', [list, '\0', 'k']],
    ['a number as key', [list, 'a', 7]],
    ['null as owner', [list, 'a', 'k', null]],
    ['the name of another list', [`${String(list)}x`, 'a', 'k']],
  ])('that contains %s is rejected', (_what, parts) => {
    expect(read(tokenOf(parts))).toBeUndefined();
  });

  it('is rejected if it is longer than any that svc writes', () => {
    const padded = (length: number): string => {
      const text = JSON.stringify([list, 'a', 'k']);
      return Buffer.from(text.padStart((length * 3) / 4)).toString('base64url');
    };
    expect(padded(8_000)).toHaveLength(8_000);
    expect(read(padded(8_000))).toEqual({ value: 'a', key: 'k' });
    expect(read(padded(8_004))).toBeUndefined();
  });

  it('has a timestamp as a number', () => {
    const byTime = { column: 'placedAt', descending: false };
    const place = { value: 1_700_000_000_000, key: 'k' };
    const token = writePageToken('Orders', byTime, [], place);
    expect(partsOf(token).slice(1)).toEqual([place.value, 'k']);
    expect(read(token, byTime)).toEqual(place);
    const [name] = partsOf(token);
    expect(read(tokenOf([name, null, 'k']), byTime)).toEqual({ value: null, key: 'k' });
    for (const value of ['2026-01-01T00:00:00Z', 1e20])
      expect(read(tokenOf([name, value, 'k']), byTime)).toBeUndefined();
  });
});
