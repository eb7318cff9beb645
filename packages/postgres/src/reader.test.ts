import { StorageUnavailableError } from '@svc/core/storage';
import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { Reader } from './reader.js';

it.each([
  ['retries a statement once after a lost connection', undefined, 2],
  ['does not retry a statement that exceeds its own time limit', 1_000, 1],
])('%s', async (_what, limitMs, expected) => {
  const limits: unknown[] = [];
  const pool = {
    query({ query_timeout }: { query_timeout?: number }) {
      limits.push(query_timeout);
      return Promise.reject(new Error('Query read timeout'));
    },
  };
  const reader = new Reader(pool as unknown as Pool);
  await expect(reader.rows('count', 'SELECT 1', [], limitMs)).rejects.toBeInstanceOf(StorageUnavailableError);
  expect(limits).toEqual(Array.from({ length: expected }, () => limitMs));
});
