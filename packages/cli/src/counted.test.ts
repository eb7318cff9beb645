import { expect, it } from 'vitest';
import { counted } from './counted.js';

it.each([
  [0, 'event', undefined, '0 events'],
  [1, 'event', undefined, '1 event'],
  [2_000, 'stream', undefined, '2,000 streams'],
  [1, 'match', 'matches', '1 match'],
  [2, 'match', 'matches', '2 matches'],
])('writes %d with the noun %s (%s) as %s', (number, noun, plural, text) => {
  expect(counted(number, noun, plural)).toBe(text);
});
