import { expect, it } from 'vitest';
import { longestIndexedText, type IndexedType } from '../storage/index.js';
import { readPageToken, writePageToken } from './page-token.js';

it.each(['\u4e00', '\u0001', '\u{1f600}'])(
  'takes back every token that it gave, the longest of %j among them',
  (character) => {
    const longest = character.repeat(longestIndexedText / character.length);
    const place = { value: longest, key: longest };
    const sort = { column: 'title', descending: false };
    const types = new Map<string, IndexedType>([['title', 'text']]);
    const token = writePageToken('Orders', sort, [], place);
    expect(readPageToken('Orders', sort, [], types, token)).toEqual(place);
  },
);
