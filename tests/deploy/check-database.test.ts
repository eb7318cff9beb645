/** `svc deploy check --pre` against real databases: it logs in, and finds what the next start would migrate, including perspectives. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createService } from '@svc/core';
import { type MigratingStorage } from '@svc/core/storage';
import type { CheckResult } from '@svc/deploy';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { registry as ordersRegistry } from '../../examples/orders/src/generated/registry.js';
import { temporaryKeyVault } from '../../examples/orders/src/key-vault.js';
import { bin, svc } from '../command-line/svc.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';

/** The build of the reference service, whose sources the tests start. */
const registry = fileURLToPath(new URL('../../examples/orders/dist/generated/registry.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'svc-check-'));
const configured = ['--config', join(folder, 'deploy.json')];
let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.remove();
});
beforeEach(async () => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  await database.clear();
  vi.stubEnv('DATABASE_URL', database.url);
});
afterEach(() => vi.unstubAllEnvs());

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

/** Runs a command in this process. */
async function run(...args: string[]): Promise<Ended> {
  const { code, out, error } = await svc(args);
  return { code, out: [error, out].filter((text) => text !== '').join('\n') };
}

/** Runs a command in a process of its own, which compares the perspectives of the build with those of the sources. */
function start(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bin, ...args]);
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (out += text.toString()));
    child.once('close', (code) => resolve({ code, out }));
  });
}

async function check(pre: object, execute = run): Promise<Record<string, Pick<CheckResult, 'status' | 'detail'>>> {
  const haproxy = { socket: 'haproxy.sock', blue: ['127.0.0.1:1'] };
  writeFileSync(join(folder, 'deploy.json'), JSON.stringify({ service: 'orders', haproxy, checks: { pre } }));
  const { out } = await execute('deploy', 'check', '--pre', '--json', ...configured);
  const { checks } = JSON.parse(out) as { checks: CheckResult[] };
  return Object.fromEntries(checks.map(({ name, status, detail }) => [name, { status, detail }]));
}

/** Starts a version of the reference service whose summary of orders has other indexed properties. */
async function startOrders(storage: MigratingStorage, indexed: readonly string[] | null = null): Promise<void> {
  const perspectives = ordersRegistry.perspectives!.map((found) =>
    found.name === 'OrderSummaryPerspective' && indexed !== null
      ? Object.assign({}, found, { columns: found.columns!.filter(({ name }) => indexed.includes(name)) })
      : found,
  );
  const service = createService({ ...ordersRegistry, perspectives }, {} as never)
    .addService()
    .useStorage(storage)
    .useKeyVault(temporaryKeyVault())
    .addServicePerspectives()
    .allowEverybody()
    .start();
  await service.ready();
  await storage.migrations.idle();
  await service.stop();
}

describe.each(['postgres', 'sqlite'])('on %s', (kind) => {
  const file = join(folder, 'orders.db');
  const storage = (): MigratingStorage => (kind === 'sqlite' ? sqlite({ file }) : postgres({ url: database.url }));
  const address = kind === 'sqlite' ? `sqlite:${file}` : '$DATABASE_URL';

  it('pre-deployment check of migrations: covers infrastructure and perspectives, and changes nothing', async () => {
    const pending = async (): Promise<unknown> =>
      (await check({ database: address, registry }, start))['pending migrations'];
    expect(await pending()).toMatchObject({
      status: 'passed',
      detail: expect.stringMatching(
        /compatible: infrastructure\/events, .*infrastructure\/operations, .*perspective\/OrderSummaryPerspective/,
      ) as string,
    });
    if (kind === 'sqlite') expect(existsSync(file)).toBe(false);
    await startOrders(storage(), ['status']);
    expect(await pending()).toEqual({
      status: 'passed',
      detail: '1, compatible: perspective/OrderSummaryPerspective',
    });
    await startOrders(storage());
    expect(await pending()).toEqual({ status: 'passed', detail: 'none' });
  });

  it('svc migrate plan includes perspectives', async () => {
    await startOrders(storage(), ['status']);
    const at = ['--database', kind === 'sqlite' ? file : database.url, '--registry', registry];
    const { code, out } = await start('migrate', 'plan', ...at);
    expect([code, out.trim()]).toEqual([
      0,
      '-- perspective/OrderSummaryPerspective: Its rows are copied in the background; the old table serves until then.',
    ]);
    expect(JSON.parse((await start('migrate', 'plan', '--json', ...at)).out)).toMatchObject({
      pending: [{ key: 'perspective/OrderSummaryPerspective', strategy: 'ColumnCopy' }],
    });
    // Models of shared tenants have no tenant as their owner.
    const shared = await start('migrate', 'plan', '--shared-tenants', ...at);
    expect(shared.out).toContain('perspective/AuditLogPerspective: Its rows are replayed from events');
  });
});

it('reports perspectives that it cannot read', async () => {
  expect((await check({ database: '$DATABASE_URL' }))['pending migrations']).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('dist/generated/registry.js does not exist') as string,
  });
  const { code, out } = await run('migrate', 'plan');
  expect([code, out]).toEqual([0, expect.stringContaining('Perspectives are not included') as string]);
  const missing = await run('migrate', 'plan', '--registry', 'nowhere.js');
  expect([missing.code, missing.out]).toEqual([
    2,
    expect.stringContaining('Registry nowhere.js does not exist') as string,
  ]);
});

it('svc deploy check --pre with every check skipped does not report success', async () => {
  const results = await check({});
  expect(new Set(Object.values(results).map(({ status }) => status))).toEqual(new Set(['skipped']));
  const { code, out } = await run('deploy', 'check', '--pre', ...configured);
  expect(code).toBe(1);
  expect(out).not.toContain('Passed.');
  expect(out).toContain('Nothing was checked: every check was skipped. Configure at least one check in checks.pre');
  expect(JSON.parse((await run('deploy', 'check', '--pre', '--json', ...configured)).out)).toMatchObject({
    passed: false,
    outcome: 'unchecked',
  });
});

it('logs in, and reports pending migrations and whether the running version is compatible with them', async () => {
  const pre = { database: '$DATABASE_URL', registry };
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
  // The service migrates its perspectives itself.
  expect((await check(pre))['pending migrations']).toMatchObject({
    status: 'passed',
    detail: expect.stringMatching(/^\d+, compatible: perspective\//) as string,
  });
  // A command answers for everything that it plans.
  const migrations = `${process.execPath} ${bin} migrate plan --json`;
  expect((await check({ ...pre, migrations }))['pending migrations']).toEqual({ status: 'passed', detail: 'none' });
  await database.query("UPDATE svc_schema_migrations SET hash = 'sha256:0' WHERE key = 'infrastructure/outbox'");
  expect((await check(pre))['pending migrations']).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('infrastructure/outbox: Its steps were changed') as string,
  });
});

it('fails if a server answers but rejects the login, and shows no password', async () => {
  const url = new URL(database.url);
  url.password = 'hunter2';
  const results = await check({ database: url.href, registry });
  expect(results['database connectivity']).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('password authentication failed') as string,
  });
  expect(results['pending migrations']).toMatchObject({ status: 'failed' });
  expect(JSON.stringify(results)).not.toContain('hunter2');
});
