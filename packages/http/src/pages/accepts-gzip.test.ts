import { expect, it } from 'vitest';
import { acceptsGzip } from './accepts-gzip.js';

it.each([
  ['gzip, deflate, br, zstd', true],
  ['GZIP;q=0.5', true],
  ['*', true],
  ['br, *;q=0.1', true],
  ['gzip;q=0, *', false],
  ['gzip; q=0.000', false],
  ['*;q=0', false],
  ['identity', false],
  ['', false],
  [undefined, false],
])('Accept-Encoding: %s → %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});
