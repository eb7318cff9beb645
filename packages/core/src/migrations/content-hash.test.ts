import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { contentHash, essenceOf } from './content-hash.js';

it('a hash is SHA-256 in hexadecimal digits, after the name of the algorithm', async () => {
  expect(await contentHash('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  // With digits below 16, and a text that is not ASCII.
  for (const text of ['a', 'b', 'c', 'Grüße', '🙂']) {
    expect(await contentHash(text)).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
  }
});

it.each([
  ['a comment', 'SELECT 1 -- the first\nFROM x -- a table', 'SELECT 1 FROM x'],
  ['indentation', '\n  SELECT 1\n\t  FROM   x\n', 'SELECT 1 FROM x'],
  ['a comment without a line after it', 'SELECT 1 --', 'SELECT 1'],
])('SQL is hashed without %s', (_what, sql, essence) => expect(essenceOf(sql)).toBe(essence));

it('SQL with other words is not the same', () => {
  expect(essenceOf('SELECT 1 - 1')).toBe('SELECT 1 - 1');
});
