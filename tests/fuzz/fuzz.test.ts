/** A short run of the fuzzer. `npm run fuzz -- --requests 1000000` is the long one; docs/reference/fuzzing.md has its figures. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fuzz, reportOf } from '../../tools/fuzz/index.mjs';

const kinds = [
  'bytes',
  'credentials',
  'framing',
  'graphql',
  'headers',
  'json',
  'pipelined',
  'query',
  'target',
  'valid',
];

it('the reference service withstands 2,000 mutated requests of two tenants', async () => {
  const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 0x7fffffff);
  console.log(`fuzz: seed ${seed}`);
  const folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-'));
  const result = await fuzz({ requests: 2_000, seed, folder });
  // What a failing run leaves is needed to look into it.
  if (result.failureCount === 0) onTestFinished(() => rmSync(folder, { recursive: true }));
  if (result.failureCount > 0) console.error(reportOf(result));
  // Other tests use the processors at the same time, so response times say nothing here. The long run checks them.
  expect(result.failures.filter(({ kind }) => kind !== 'slow answer')).toEqual([]);
  // Requests that never get past the first check would find nothing.
  expect([...result.statistics.statuses.keys()].toSorted()).toEqual(kinds);
  expect(result.log.answered).toBeGreaterThan(30);
  const succeeded = [...result.statistics.succeeded.keys()];
  expect(succeeded).toEqual(expect.arrayContaining(['POST /orders', 'POST /orders/pay', 'GET /orders/{id}']));
  expect(succeeded).toContain('GET /orders/live');
}, 240_000);
