/** A busy service digests its events in a thread of its own. The programs run as they are installed, because a bundle has no module for the thread. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sealedLogOf, verifySeals } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { createDatabase } from '../postgres/test-database.js';
import { newKey } from './sealed-shop.js';

const program = fileURLToPath(new URL('threaded-host.mjs', import.meta.url));
const removals: (() => unknown)[] = [];
afterAll(async () => {
  for (const remove of removals.toReversed()) await remove();
});

interface Target {
  readonly where: string;
  readonly folder: string;
  readonly open: () => Storage;
}

async function targetOf(kind: string): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-threads-'));
  removals.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'seal.pem'), newKey());
  if (kind === 'sqlite') {
    const where = join(folder, 'data.db');
    return { where, folder, open: () => sqlite({ file: where }) };
  }
  const { url, remove } = await createDatabase();
  removals.push(remove);
  return { where: url, folder, open: () => postgres({ url }) };
}

interface Outcome {
  readonly threads: number;
  readonly sealed: number;
  readonly reports: readonly string[];
}

/** Runs the host until it has sealed some events and `during` has ended. */
async function run(
  args: readonly string[],
  { options = [], env = {}, during = () => {} }: RunOptions = {},
): Promise<Outcome & { readonly output: string; readonly code: number }> {
  const child = spawn(process.execPath, [...options, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  removals.push(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output, { timeout: 50_000 }).toContain('}\n');
  await during();
  child.stdin.end();
  const [code] = (await once(child, 'exit')) as [number];
  const outcome = JSON.parse(output.slice(output.indexOf('{'))) as Outcome;
  return { ...outcome, output, code };
}

interface RunOptions {
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly during?: () => unknown;
}

/** Verifies the seals in this process, without a thread. */
async function verified(open: () => Storage): Promise<{ readonly finding: unknown; readonly events: number }> {
  const storage = open();
  try {
    const { finding, events } = await verifySeals(sealedLogOf(storage));
    return { finding, events };
  } finally {
    await storage.close();
  }
}

describe.each(['sqlite', 'postgres'])('%s', { timeout: 60_000 }, (kind) => {
  it('seals many events with a thread, which ends with the service', async () => {
    const { where, folder, open } = await targetOf(kind);
    const { threads, reports, code } = await run([program, kind, where, folder, '6000']);
    expect({ threads, reports, code }).toEqual({ threads: 1, reports: [], code: 0 });
    const { finding, events } = await verified(open);
    expect(finding).toBeNull();
    expect(events).toBeGreaterThan(6_000);
  });

  it('starts no thread for few events', async () => {
    const { where, folder } = await targetOf(kind);
    expect(await run([program, kind, where, folder, '100'])).toMatchObject({ threads: 0, reports: [], code: 0 });
  });

  it('seals without the thread if it ends, and reports that once', async () => {
    const { where, folder, open } = await targetOf(kind);
    const outcome = await run([program, kind, where, folder, '6000', 'end-thread']);
    expect(outcome).toMatchObject({ threads: 1, reports: ['The thread has ended.'], code: 0 });
    expect(await verified(open)).toMatchObject({ finding: null });
  });
});

it('has one connection for the thread, with a name, until the service stops', { timeout: 60_000 }, async () => {
  const { where, folder } = await targetOf('postgres');
  const count = async (): Promise<number> => {
    const client = new pg.Client(where);
    await client.connect();
    const { rows } = await client.query<{ sessions: number }>(
      `SELECT count(*)::int AS sessions FROM pg_stat_activity WHERE application_name = 'svc seals' AND datname = current_database()`,
    );
    await client.end();
    return rows[0]!.sessions;
  };
  let during = -1;
  await run([program, 'postgres', where, folder, '6000'], { during: async () => (during = await count()) });
  expect(during).toBe(1);
  await expect.poll(count).toBe(0);
});

it('does not load modules into the thread that the process loads before its program', { timeout: 60_000 }, async () => {
  const { where, folder } = await targetOf('sqlite');
  const preloaded = join(folder, 'preloaded.cjs');
  writeFileSync(preloaded, `process.stdout.write('loaded ');`);
  const { output, threads } = await run([program, 'sqlite', where, folder, '6000'], {
    options: ['--require', preloaded],
    env: { NODE_OPTIONS: `--require ${preloaded}` },
  });
  expect(threads).toBe(1);
  expect(output.match(/loaded /g)).toHaveLength(1);
});

it('seals in a bundle, which has no module for a thread', { timeout: 60_000 }, async () => {
  const { where, folder, open } = await targetOf('sqlite');
  const bundled = await bundledProgram(new URL('threaded-host.mjs', import.meta.url));
  expect(await run([bundled, 'sqlite', where, folder, '3000'])).toMatchObject({ threads: 0, reports: [], code: 0 });
  expect(await verified(open)).toMatchObject({ finding: null });
});
