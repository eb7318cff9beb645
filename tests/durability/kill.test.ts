import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Storage } from '@svc/core';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../postgres/test-database.js';
import { expectAudited, type Entry } from './audit-trail.js';
import { startTrialService } from './trial-service.mjs';

const failpoints = [
  'before-commit',
  'during-commit',
  'after-commit',
  'between-outbox-and-stream',
  'before-delivery',
  'during-delivery',
  'after-delivery',
];

const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
const random = seeded(seed);
const host = fileURLToPath(new URL('killed-host.mjs', import.meta.url));
const removals: (() => unknown)[] = [];
afterAll(async () => {
  for (const remove of removals) await remove();
});

/** Runs a host until it has killed itself, and returns what it had answered for. */
async function runUntilKilled(kind: string, where: string, failpoint: string, first: number): Promise<Entry[]> {
  const nth = 1 + Math.floor(random() * 40);
  const args = [
    host,
    kind,
    where,
    failpoint,
    String(failpoint.includes('commit') ? nth : 1 + (nth % 5)),
    String(first),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const signal = await new Promise((resolve) => child.once('close', (_code, reason) => resolve(reason)));
  expect(signal, `${failpoint}, ${nth}, seed ${seed}: ${errors}`).toBe('SIGKILL');
  return output.split('\n').slice(0, -1);
}

const databases: Record<string, () => Promise<{ where: string; open: () => Storage }>> = {
  sqlite: () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-kill-'));
    removals.push(() => rmSync(folder, { recursive: true }));
    const where = join(folder, 'data.db');
    return Promise.resolve({ where, open: () => sqlite({ file: where }) });
  },
  postgres: async () => {
    const { url, remove } = await createDatabase();
    removals.push(remove);
    return { where: url, open: () => postgres({ url, leaseMs: 300, pollMs: 100 }) };
  },
};

describe.each(Object.keys(databases))('on %s', (kind) => {
  it(`has every answered command once, audited once and in order, after being killed anywhere (seed ${seed})`, async () => {
    const { where, open } = await databases[kind]!();
    const answered: Entry[] = [];
    for (const [round, failpoint] of failpoints.entries()) {
      answered.push(...(await runUntilKilled(kind, where, failpoint, round * 1_000_000)));
    }
    const service = await startTrialService(open());
    const kept = await expectAudited(service);
    await service.stop();
    expect(answered.length).toBeGreaterThan(0);
    expect(new Set(kept).size, 'nothing is there twice').toBe(kept.length);
    expect(
      answered.filter((one) => !kept.includes(one)),
      'everything answered for is there',
    ).toEqual([]);
  }, 60_000);
});

/** A small generator (mulberry32): the same seed gives the same run of failpoints. */
function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
