/** `svc deploy check --pre` against a real PostgreSQL: it logs in, and finds what the next start would migrate. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckResult } from '@svc/deploy';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';

const svc = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'svc-check-'));
let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.remove();
});
beforeEach(() => database.clear());

function run(...args: string[]): Promise<{ code: number | null; out: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [svc, ...args], {
      cwd: folder,
      env: { ...process.env, DATABASE_URL: database.url },
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (out += text.toString()));
    child.once('close', (code) => resolve({ code, out }));
  });
}

async function check(pre: object): Promise<Record<string, Pick<CheckResult, 'status' | 'detail'>>> {
  const haproxy = { socket: 'haproxy.sock', blue: ['127.0.0.1:1'] };
  writeFileSync(join(folder, 'deploy.json'), JSON.stringify({ service: 'orders', haproxy, checks: { pre } }));
  const { out } = await run('deploy', 'check', '--pre', '--json');
  const { checks } = JSON.parse(out) as { checks: CheckResult[] };
  return Object.fromEntries(checks.map(({ name, status, detail }) => [name, { status, detail }]));
}

it('logs in, and tells what is pending and whether the running version can live with it', async () => {
  const pre = { database: '$DATABASE_URL' };
  const before = await check(pre);
  expect(before['database connectivity']).toMatchObject({
    status: 'passed',
    detail: expect.stringContaining('logged in to PostgreSQL at ') as string,
  });
  expect(before['pending migrations']).toMatchObject({
    status: 'passed',
    detail: expect.stringMatching(/^\d+, compatible: infrastructure\/events, /) as string,
  });
  expect((await run('migrate', 'up')).code).toBe(0);
  expect((await check(pre))['pending migrations']).toEqual({ status: 'passed', detail: 'none' });
  // The same by command, as a program with migrations of its own has it.
  const migrations = `${process.execPath} ${svc} migrate plan --json`;
  expect((await check({ ...pre, migrations }))['pending migrations']).toEqual({ status: 'passed', detail: 'none' });
  await database.query("UPDATE svc_schema_migrations SET hash = 'sha256:0' WHERE key = 'infrastructure/outbox'");
  expect((await check(pre))['pending migrations']).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('infrastructure/outbox: Its steps were changed') as string,
  });
});

it('fails where a server answers and does not let us in, and shows no password', async () => {
  const url = new URL(database.url);
  url.password = 'hunter2';
  const results = await check({ database: url.href });
  expect(results['database connectivity']).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('password authentication failed') as string,
  });
  expect(results['pending migrations']).toMatchObject({ status: 'failed' });
  expect(JSON.stringify(results)).not.toContain('hunter2');
});
