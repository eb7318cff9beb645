/** Hosts are killed or suspended at each point of sealing while another host takes over: seals never fork, and cover each event once. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicSealKey, readAnchorFile, sealedLogOf, verifySeals } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { killedDatabases } from '../killed-databases.js';
import { createDatabase } from '../postgres/test-database.js';
import { allSealed, newKey, recordsOf } from './sealed-shop.js';
import { append, startSealingService } from './sealing-service.mjs';

const failpoints = ['lease', 'state', 'read', 'seal', 'anchor', 'anchored'].flatMap((what) =>
  ['before', 'during', 'after'].map((when) => `${when}-${what}`),
);

/** Rounds on a database; `SVC_TEST_KILLS=36` reaches each point with both signals, on each database. */
const rounds = Number(process.env['SVC_TEST_KILLS'] ?? 2);
const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e6));
const program = await bundledProgram(new URL('killed-host.mjs', import.meta.url));
const removals: (() => unknown)[] = [];
const running = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  for (const remove of removals) await remove();
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sealed-kills-'));
  removals.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

type Sealing = Storage & { readonly seals: NonNullable<Storage['seals']> };
const databases: Record<string, () => Promise<{ where: string; open: () => Sealing }>> = {
  sqlite: () => {
    const where = join(temporaryFolder(), 'data.db');
    return Promise.resolve({ where, open: () => sqlite({ file: where, leaseMs: 300 }) });
  },
  postgres: async () => {
    const { url, remove } = await createDatabase();
    removals.push(remove);
    return { where: url, open: () => postgres({ url, leaseMs: 300, pollMs: 100 }) };
  },
};

/** Resolves once the host has written a line. */
async function startHost(line: 'started' | 'reached', ...args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let written = '';
  child.stdout.on('data', (chunk: Buffer) => (written += chunk.toString()));
  await expect.poll(() => written, { timeout: 30_000, message: args.join(' ') }).toContain(line);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** The point and the signal of a round. Neighbours are different in both. */
function planOf(number: number): { readonly point: string; readonly signal: 'SIGKILL' | 'SIGSTOP' } {
  const turn = number + seed;
  const point = failpoints[(turn * 5) % failpoints.length]!;
  return { point, signal: Math.floor(turn / failpoints.length + turn) % 2 === 0 ? 'SIGKILL' : 'SIGSTOP' };
}

/** One host stops at a point, another one takes over, and a host that was only suspended continues where it was. */
async function round(kind: string, where: string, folder: string, storage: Sealing, number: number): Promise<void> {
  const { point, signal } = planOf(number);
  const numberOfLast = async (): Promise<number> => (await storage.seals.readLast())?.number ?? 0;
  // The state is read once by a host that seals alone.
  const nth = point.endsWith('state') ? 1 : 1 + ((number * 7 + seed) % 4);
  const first = await startHost('reached', kind, where, folder, point, String(nth), signal);
  const second = await startHost('started', kind, where, folder, 'none', '0', signal);
  const isSealed = async (timeout = 30_000): Promise<void> => {
    const before = await numberOfLast();
    await expect.poll(numberOfLast, { timeout, message: `${point}, seed ${seed}` }).toBeGreaterThan(before + 3);
  };
  // A host that is suspended within a transaction holds back readers of the log, or the number of the seal, until it continues.
  const mayWait = kind === 'postgres' && signal === 'SIGSTOP';
  await isSealed(mayWait ? 3_000 : 30_000).catch((error: unknown) => {
    if (!mayWait) throw error;
  });
  if (signal === 'SIGKILL') await expect.poll(() => first.signalCode, { timeout: 30_000 }).toBe('SIGKILL');
  else {
    first.kill('SIGCONT');
    await isSealed();
  }
  await kill(first);
  await kill(second);
}

/** The ids in the entries of all seals. */
async function sealedIds({ seals }: Sealing): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after = 0; ;) {
    const page = await seals.read(after, 100);
    if (page.length === 0) return ids;
    for (const { entries } of page) {
      const bytes = Buffer.from(entries);
      for (let at = 0; at < bytes.length; at += 32) ids.push(bytes.toString('hex', at, at + 16));
    }
    after = page.at(-1)!.number;
  }
}

describe.each(killedDatabases(databases, seed))('on %s', (kind) => {
  it(
    `never forks, and seals each event once, after ${rounds} hosts stopped (SVC_TEST_SEED=${seed})`,
    async () => {
      const { where, open } = await databases[kind]!();
      const folder = temporaryFolder();
      const key = newKey();
      writeFileSync(join(folder, 'seal.pem'), key);
      const storage = open();
      await storage.open();
      for (let number = 0; number < rounds; number++) await round(kind, where, folder, storage, number);

      const service = await startSealingService(open(), folder);
      try {
        await append(service);
        await allSealed(storage);
        const anchors = async () => await readAnchorFile(join(folder, 'anchor.jsonl'));
        const { number } = (await storage.seals.readLast())!;
        const last = async () => Math.max(...(await anchors()).map(({ checkpoint }) => numberOf(checkpoint)));
        await expect.poll(last, { timeout: 30_000 }).toBeGreaterThanOrEqual(number);
        const reports = async () => (await recordsOf(storage)).filter(({ type }) => type === 'svc.LogSealed').length;
        await expect.poll(reports, { timeout: 30_000 }).toBeGreaterThanOrEqual(number);
      } finally {
        await service.stop();
      }

      const anchored = await readAnchorFile(join(folder, 'anchor.jsonl'));
      const keys = [publicSealKey(createPublicKey(key))];
      const result = await verifySeals(sealedLogOf(storage), { keys, anchored });
      expect(result.finding, `seed ${seed}`).toBeNull();
      const records = await recordsOf(storage);
      expect(result.events + result.unsealed!).toBe(records.length);
      const ids = records.map(({ id }) => id.replaceAll('-', ''));
      const sealed = await sealedIds(storage);
      expect(sealed, 'each once, in the order of the log').toEqual(ids.slice(0, sealed.length));
      const reported = records.filter(({ type }) => type === 'svc.LogSealed').map(({ body }) => numberOf(body));
      expect(reported, 'each seal is reported once').toEqual(reported.map((_, index) => index + 1));
      await storage.close();
    },
    60_000 + rounds * 60_000,
  );
});

function numberOf(text: string): number {
  return (JSON.parse(text) as { number: number }).number;
}
