import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Service } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { collect } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { waitFor } from '../deploy/wait-for.js';
import { createDatabase } from '../postgres/test-database.js';
import { Finished, Started, startScheduling } from './scheduling-service.mjs';

const failpoints = [
  ...['schedule', 'settle'].flatMap((what) => ['before', 'during', 'after'].map((when) => `${when}-${what}`)),
  'after-claim',
];

/** On each of the two databases, at points that the seed selects; `SVC_TEST_KILLS=1000` for a long run. */
const kills = Number(process.env['SVC_TEST_KILLS'] ?? 2);
const limitMs = 60_000 + kills * 3_000;
const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
const host = await bundledProgram(new URL('killed-host.mjs', import.meta.url));
const removals: (() => unknown)[] = [];
afterAll(async () => {
  for (const remove of removals) await remove();
});

/** Runs a host until it has killed itself. Resolves with the numbers of the commands that it has answered. */
async function runUntilKilled(args: readonly string[]): Promise<number[]> {
  const child = spawn(process.execPath, [host, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const signal = await new Promise((resolve) => child.once('close', (_code, reason) => resolve(reason)));
  expect(signal, `${args.join(' ')}, seed ${seed}: ${errors}`).toBe('SIGKILL');
  return output.split('\n').slice(0, -1).map(Number);
}

interface Database {
  readonly where: string;
  readonly open: () => Storage;
  /** How many hosts are killed, each after the other, at the same time. */
  readonly hosts: number;
}

const databases: Record<string, () => Promise<Database>> = {
  sqlite: () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-schedule-kill-'));
    removals.push(() => rmSync(folder, { recursive: true }));
    const where = join(folder, 'data.db');
    return Promise.resolve({ where, open: () => sqlite({ file: where, leaseMs: 300 }), hosts: 1 });
  },
  postgres: async () => {
    const { url, remove } = await createDatabase();
    removals.push(remove);
    return { where: url, open: () => postgres({ url, leaseMs: 300, pollMs: 100 }), hosts: 2 };
  },
};

describe.concurrent.each(Object.keys(databases))('on %s', (kind) => {
  it(
    `runs every scheduled command once in effect, after ${kills} kills anywhere (seed ${seed})`,
    async () => {
      const { where, open, hosts } = await databases[kind]!();
      const answered = await Promise.all(
        Array.from({ length: hosts }, async (_, nth) => {
          const random = seeded(seed + nth);
          const numbers: number[] = [];
          for (let kill = nth; kill < kills; kill += hosts) {
            const failpoint = failpoints[(seed + kill) % failpoints.length]!;
            // Not in the 8 commands that a host begins with: if none is stored, nothing is proven.
            const times = failpoint === 'after-claim' ? 1 + Math.floor(random() * 4) : 9 + Math.floor(random() * 20);
            numbers.push(...(await runUntilKilled([kind, where, failpoint, String(times), String(kill * 100_000)])));
          }
          return numbers;
        }),
      );
      const service = await startScheduling(open());
      await waitFor(async () => (await unfinished(service)).length === 0, 'every scheduled command has run', limitMs);
      const { started, finished } = await numbersOf(service);
      expect(started.length).toBeGreaterThan(0);
      expect(
        answered.flat().filter((number) => !started.includes(number)),
        'every answered command',
      ).toEqual([]);
      expect(new Set(finished).size, 'none twice').toBe(finished.length);
      expect(finished.toSorted(ascending)).toEqual(started.toSorted(ascending));
      expect(await service.deadLetters.list()).toEqual([]);
      await service.stop();
    },
    limitMs,
  );
});

const ascending = (a: number, b: number): number => a - b;

async function numbersOf(service: Service): Promise<{ started: number[]; finished: number[] }> {
  const payloads = (await collect(service.eventStore.readAll())).map(({ envelope }) => envelope.payload);
  return {
    started: payloads.filter((payload) => payload instanceof Started).map(({ number }) => number),
    finished: payloads.filter((payload) => payload instanceof Finished).map(({ number }) => number),
  };
}

async function unfinished(service: Service): Promise<number[]> {
  const { started, finished } = await numbersOf(service);
  const done = new Set(finished);
  return started.filter((number) => !done.has(number));
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
