import { expect, it } from 'vitest';
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
