import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Service, Uuid } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { createDatabase } from '../postgres/test-database.js';
import { expectAudited, type Entry } from './audit-trail.js';
import { count, isRejected, rejectingTransport, startTrialService } from './trial-service.mjs';

const failpoints = [
  ...['commit', 'keyed-commit', 'delivery', 'dead-letter'].flatMap((what) =>
    ['before', 'during', 'after'].map((when) => `${when}-${what}`),
  ),
  'between-outbox-and-stream',
];

/** On each of the two databases, at points that the seed selects; `SVC_TEST_KILLS=13` reaches each point, 5000 are a long run. */
const kills = Number(process.env['SVC_TEST_KILLS'] ?? 4);
const limitMs = 60_000 + kills * 3_000;
const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
const host = await bundledProgram(new URL('killed-host.mjs', import.meta.url));
const removals: (() => unknown)[] = [];
afterAll(async () => {
  for (const remove of removals) await remove();
});

interface Life {
  /** What it had answered for. */
  readonly answered: readonly Entry[];
  /** What it was asked for under a key, answered or not. */
  readonly keyed: readonly { readonly stream: Uuid; readonly number: number; readonly key: string }[];
}

/** Runs a host until it has killed itself. */
async function runUntilKilled(
  kind: string,
  where: string,
  failpoint: string,
  nth: number,
  first: number,
): Promise<Life> {
  const args = [host, kind, where, failpoint, String(nth), String(first)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const signal = await new Promise((resolve) => child.once('close', (_code, reason) => resolve(reason)));
  expect(signal, `${failpoint}, ${nth}, seed ${seed}: ${errors}`).toBe('SIGKILL');
  const lines = output.split('\n').slice(0, -1);
  const keyed = lines.filter((line) => line.startsWith('? ')).map((line) => line.split(' '));
  return {
    answered: lines.filter((line) => !line.startsWith('? ')),
    keyed: keyed.map(([, stream, number, key]) => ({ stream: stream as Uuid, number: Number(number), key: key! })),
  };
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

describe.concurrent.each(Object.keys(databases))('on %s', (kind) => {
  it(
    `stores every answered command once, audited once and in order, after ${kills} kills anywhere (seed ${seed})`,
    async () => {
      const random = seeded(seed);
      const { where, open } = await databases[kind]!();
      const lives: Life[] = [];
      for (let kill = 0; kill < kills; kill++) {
        const failpoint = failpoints[(kill * 3 + seed) % failpoints.length]!;
        const nth = 1 + Math.floor(random() * (failpoint.endsWith('commit') ? 20 : 4));
        lives.push(await runUntilKilled(kind, where, failpoint, nth, kill * 100_000));
      }
      const service = await startTrialService(open(), () => {}, rejectingTransport);
      // Whoever got no answer asks again.
      const keyed = lives.flatMap((life) => life.keyed);
      for (const { stream, number, key } of keyed) await count(service, stream, number, key);
      const stored = await expectAudited(service, limitMs);
      expectEachOnce(stored, lives);
      await expectRejectedAreDeadLetters(service, stored);
      await service.stop();
    },
    limitMs,
  );
});

function expectEachOnce(stored: readonly Entry[], lives: readonly Life[]): void {
  const there = new Set(stored);
  expect(there.size, 'nothing is there twice').toBe(stored.length);
  const answered = lives.flatMap((life) => life.answered);
  expect(answered.length).toBeGreaterThan(0);
  expect(
    answered.filter((one) => !there.has(one)),
    'everything answered for is there',
  ).toEqual([]);
  const keyed = lives.flatMap((life) => life.keyed.map(({ stream, number }) => `${stream} ${number}`));
  expect(
    keyed.filter((one) => !there.has(one)),
    'everything that was requested again is stored',
  ).toEqual([]);
}

/** What the broker refuses is put aside, each message once. */
async function expectRejectedAreDeadLetters(service: Service, stored: readonly Entry[]): Promise<void> {
  const rejected = stored.map((entry) => Number(entry.split(' ')[1])).filter(isRejected);
  const end = performance.now() + limitMs;
  while ((await deadNumbers(service)).length < rejected.length && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const ascending = (a: number, b: number): number => a - b;
  expect((await deadNumbers(service)).toSorted(ascending)).toEqual(rejected.toSorted(ascending));
}

async function deadNumbers(service: Service): Promise<number[]> {
  const numbers: number[] = [];
  for (let after: Uuid | undefined; ;) {
    const page = await service.deadLetters.list(after === undefined ? { limit: 500 } : { limit: 500, after });
    numbers.push(...page.map(({ message }) => (JSON.parse(message.body) as { number: number }).number));
    after = page.at(-1)?.id;
    if (page.length < 500) return numbers;
  }
}

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
