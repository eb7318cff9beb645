/** The fuzzer reports what it is there to report: a service that is broken on purpose fails in every way there is. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { fuzz, replay, reportOf, type Failure, type FuzzResult } from '../../tools/fuzz/index.mjs';

const entry = await bundledProgram(new URL('broken-orders.mjs', import.meta.url));
let folder: string;
let result: FuzzResult;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-'));
  result = await fuzz({ requests: 800, seed: 1, folder, entry });
}, 240_000);

afterAll(() => rmSync(folder, { recursive: true }));

function found(kind: string, operation: string | null): Failure {
  const failure = result.failures.find((candidate) => candidate.kind === kind && candidate.operation === operation);
  if (failure === undefined) throw new Error(`No ${kind} of ${operation} was found:\n${reportOf(result)}`);
  return failure;
}

it.each([
  ['failed answer', 'POST /orders/pay', /^500 /],
  ['slow answer', 'GET /health/live', /^\d{4} ms$/],
  ['closed without an answer', 'GET /docs', /closed|ECONNRESET/],
  ['malformed answer', 'GET /health/ready', /The length is many/],
  ['another tenant', 'GET /customers', /marker of (?:acme|evil)/],
])('reports "%s"', (kind, operation, text) => {
  expect(found(kind, operation).text).toMatch(text);
});

it('reports an error in the log of the service', () => {
  expect(result.failures.filter(({ kind }) => kind === 'logged error').map(({ text }) => text)).toEqual([
    expect.stringContaining('broken on purpose'),
  ]);
});

it('reports commands in the log that no response reports', () => {
  expect(found('log', null).text).toMatch(
    /the log does not have the commands that were answered \(1\): intruder: 0 answered, \d+ audited/,
  );
});

it('writes a failing request, reduced, to a file from which it can be sent again', async () => {
  const { file } = found('failed answer', 'POST /orders/pay');
  const saved = JSON.parse(readFileSync(file!, 'utf8')) as { request: { headers: unknown[]; body: string } };
  // The service is broken for every body and without any header, and Node wants a host.
  expect(saved.request).toMatchObject({ headers: [['host', expect.anything()]], body: '' });
  const printed: string[] = [];
  expect(await replay(file!, (text) => void printed.push(text), entry)).toBe(true);
  expect(printed.join('\n')).toMatch(/POST \/orders\/pay HTTP\/1\.1[^]*answered after \d+ ms[^]*500[^]*failed answer/);
});

it('shows all of it in its report', () => {
  const report = reportOf(result);
  for (const text of ['seed', 'p99', 'slowest response', 'memory at middle', '--replay', 'intruder']) {
    expect(report).toContain(text);
  }
});

it('reports that the service exited by itself', async () => {
  const own = mkdtempSync(join(tmpdir(), 'svc-fuzz-'));
  const ending = fileURLToPath(new URL('ending-orders.mjs', import.meta.url));
  const { failures, statistics } = await fuzz({ requests: 1_000_000, seed: 1, folder: own, entry: ending });
  expect(failures.map(({ text }) => text)).toContain('The service ended with 3.');
  expect(statistics.sent).toBeLessThan(100_000);
  rmSync(own, { recursive: true });
}, 120_000);
