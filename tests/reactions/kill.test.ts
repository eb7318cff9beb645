/** Hosts are killed anywhere while they react: at the end each event has one effect, in the order of its stream. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Service } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { createDatabase } from '../postgres/test-database.js';
import { eventsIn } from './reaction-shop.js';
import { startChargeService, streams } from './charge-service.mjs';

const failpoints = ['react', 'advance', 'suspend', 'resume'].flatMap((what) =>
  ['before', 'during', 'after'].map((when) => `${when}-${what}`),
);

/** Kills on each database; `SVC_TEST_KILLS=500` for a long run. */
const rounds = Number(process.env['SVC_TEST_KILLS'] ?? 2);
const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e6));
const host = await bundledProgram(new URL('killed-host.mjs', import.meta.url));
const removals: (() => unknown)[] = [];
afterAll(async () => {
  for (const remove of removals) await remove();
});

const databases: Record<string, () => Promise<{ where: string; open: () => Storage }>> = {
  sqlite: () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-reactions-'));
    removals.push(() => rmSync(folder, { recursive: true }));
    const where = join(folder, 'data.db');
    return Promise.resolve({ where, open: () => sqlite({ file: where, leaseMs: 300 }) });
  },
  postgres: async () => {
    const { url, remove } = await createDatabase();
    removals.push(remove);
    return { where: url, open: () => postgres({ url, leaseMs: 300, pollMs: 100 }) };
  },
};

async function startHost(kind: string, where: string, failpoint: string, nth: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [host, kind, where, failpoint, String(nth)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return child;
}

/** One host kills itself; on PostgreSQL, another one takes over. Returns whether it reached its point. */
async function round(kind: string, where: string, number: number): Promise<boolean> {
  const failpoint = failpoints[(number * 5 + seed) % failpoints.length]!;
  const nth = 1 + ((number * 7 + seed) % 5) * (failpoint.endsWith('react') ? 9 : 1);
  const other = kind === 'postgres' && number % 2 === 1 ? await startHost(kind, where, 'none', 0) : null;
  const child = await startHost(kind, where, failpoint, nth);
  let isLate = false;
  const late = setTimeout(() => (isLate = child.kill('SIGKILL')), 2_000);
  if (child.signalCode === null) await once(child, 'exit');
  clearTimeout(late);
  expect(child.signalCode, `${failpoint}, seed ${seed}`).toBe('SIGKILL');
  if (other !== null) {
    const exit = once(other, 'exit');
    other.kill('SIGKILL');
    await exit;
  }
  return !isLate;
}

/** The orders and the charges of all streams: each charge by the order that caused it. */
async function effects(service: Service): Promise<{ placed: string[]; charged: (string | null)[] }> {
  const placed: string[] = [];
  const charged: (string | null)[] = [];
  for (const stream of streams) {
    for (const { envelope } of await eventsIn(service, stream)) {
      if (envelope.type === 'kills.Placed') placed.push(envelope.id);
      else charged.push(envelope.causationId);
    }
  }
  return { placed, charged };
}

describe.each(Object.keys(databases))('on %s', (kind) => {
  it(
    `has one effect for each event after ${rounds} kills (SVC_TEST_SEED=${seed})`,
    async () => {
      const { where, open } = await databases[kind]!();
      let reached = 0;
      for (let number = 0; number < rounds; number++) if (await round(kind, where, number)) reached++;
      expect(reached).toBeGreaterThan(0);
      const service = await startChargeService(open());
      try {
        const isDone = async (): Promise<boolean> => {
          const { placed, charged } = await effects(service);
          return charged.length >= placed.length;
        };
        await expect.poll(isDone, { timeout: 20_000, interval: 200 }).toBe(true);
        await service.idle();
        const { placed, charged } = await effects(service);
        expect(placed.length).toBeGreaterThan(0);
        expect(charged).toEqual(placed);
      } finally {
        await service.stop();
      }
    },
    60_000 + rounds * 10_000,
  );
});
