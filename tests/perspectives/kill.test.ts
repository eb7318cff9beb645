/** Hosts are killed anywhere while they apply, rewind and rebuild: at the end every model is what the log makes of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PerspectiveRebuildCompleted,
  PerspectiveRebuildFailed,
  PerspectiveRebuildProgress,
  PerspectiveRebuildStarted,
  PerspectiveRewindCompleted,
  PerspectiveRewindStarted,
  StreamRewindCompleted,
  StreamRewindStarted,
  type Service,
  type StoredEvent,
  type Uuid,
} from '@svc/core';
import { type PerspectiveCommit } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { killedDatabases } from '../killed-databases.js';
import { createDatabase } from '../postgres/test-database.js';
import { collect } from '../system-events/shop.js';
import { causalOrder } from './causal-order.js';
import type { DurableStorage } from './storages.js';
import { Counted, noteTraces, startTraceService, streamTraces } from './trace-service.mjs';

const failpoints = ['apply', 'swap', 'begin', 'rewind', 'fill'].flatMap((what) =>
  ['before', 'during', 'after'].map((when) => `${when}-${what}`),
);

/** Rounds on a database, with one to three hosts each; `SVC_TEST_KILLS=500` for a long run on each. */
const rounds = Number(process.env['SVC_TEST_KILLS'] ?? 3);
const limitMs = 60_000 + rounds * 15_000;
const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e6));
const host = await bundledProgram(new URL('killed-host.mjs', import.meta.url));
const removals: (() => unknown)[] = [];
afterAll(async () => {
  for (const remove of removals) await remove();
});

const databases: Record<string, () => Promise<{ where: string; open: () => DurableStorage }>> = {
  sqlite: () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-traces-'));
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

interface Running {
  readonly child: ChildProcess;
  /** How it ended: the name of a signal, or the code it left with, and what it had to say. */
  readonly ended: Promise<string>;
}

function run(kind: string, where: string, failpoint: string, nth: number): Running {
  const child = spawn(process.execPath, [host, kind, where, failpoint, String(nth)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = new Promise<string>((resolve) =>
    child.once('close', (code, signal) => resolve(signal ?? `${code} ${errors}`)),
  );
  return { child, ended };
}

async function begun({ child, ended }: Running): Promise<void> {
  await Promise.race([new Promise((resolve) => child.stdout!.once('data', resolve)), ended]);
}

/** One host kills itself, and says whether it did; those beside it go on, and are killed or stopped a moment later. */
async function round(kind: string, where: string, number: number): Promise<boolean> {
  const failpoint = failpoints[(number + seed) % failpoints.length]!;
  const nth = failpoint.endsWith('swap') ? 1 : 1 + ((number * 7 + seed) % 4);
  const first = run(kind, where, failpoint, nth);
  // Where one host does the work, it is this one.
  await begun(first);
  const others = Array.from({ length: number % 3 }, () => run(kind, where, 'none', 0));
  const all = [first, ...others];
  try {
    await Promise.all(others.map(begun));
    if (others.length > 0) await new Promise((resolve) => setTimeout(resolve, 300));
    first.child.stdin!.write('go\n');
    let isLate = false;
    const late = setTimeout(() => (isLate = first.child.kill('SIGKILL')), 4_000);
    expect(await first.ended, `${failpoint}, seed ${seed}`).toBe('SIGKILL');
    clearTimeout(late);
    others[0]?.child.kill('SIGKILL');
    others[1]?.child.stdin!.end();
    expect(await others[0]?.ended).toBe(others[0] && 'SIGKILL');
    expect(await others[1]?.ended).toBe(others[1] && '0 ');
    return !isLate;
  } finally {
    for (const { child } of all) child.kill('SIGKILL');
  }
}

describe.concurrent.each(killedDatabases(databases, seed))('on %s', (kind) => {
  it(
    `has exactly the models of the log after ${rounds} rounds of kills (SVC_TEST_SEED=${seed})`,
    async () => {
      const { where, open } = await databases[kind]!();
      let reached = 0;
      for (let number = 0; number < rounds; number++) if (await round(kind, where, number)) reached++;
      // Those whose point does not come in time are killed from outside, wherever they are.
      console.log(`${kind}: ${reached} of ${rounds} hosts were killed at their point`);
      expect(reached).toBeGreaterThan(0);
      const storage = open();
      const service = await startTraceService(storage, (error) => expect.fail(String(error)));
      const { log, events } = await caughtUp(service);
      await checkModels(service, events);
      checkRebuilds(log);
      // Where a rebuild has passed a rewind, the next round of the worker completes it.
      const isOpen = async (): Promise<boolean> =>
        rewindsIn(await collect(service.eventStore.readAll())).some((emitted) => emitted.at(-1) !== 'C');
      for (let left = 100; left > 0 && (await isOpen()); left--) await new Promise((next) => setTimeout(next, 100));
      const rewinds = checkRewinds(await collect(service.eventStore.readAll()));
      console.log(`${kind}: ${rewinds} rewinds of streams`);
      expect(rewinds).toBeGreaterThan(0);
      // What killed rebuilds left is gone on with by the next one, and then nothing is left.
      await service.rebuildPerspective(noteTraces);
      await checkModels(service, events);
      for (const { name } of [streamTraces, noteTraces])
        expect(await storage.perspectives.readRebuilding(name)).toEqual([]);
      await service.stop();
    },
    limitMs,
  );
});

describe.each(Object.keys(databases))('on %s', (kind) => {
  it('resumes a rebuild where its host was killed', { timeout: 60_000 }, async () => {
    const { where, open } = await databases[kind]!();
    const { child, ended } = run(kind, where, 'after-fill', 1);
    await begun({ child, ended });
    child.stdin!.write('go\n');
    expect(await ended).toBe('SIGKILL');
    const before = open();
    const besides = await before.perspectives.readRebuilding(noteTraces.name);
    await before.close();
    expect(besides).toMatchObject([{ isAlike: true }]);
    const reached = besides[0]!.sequence;
    expect(reached).toBeGreaterThan(-1);
    const storage = open();
    const places: number[] = [];
    const service = await startTraceService(watched(storage, places), (error) => expect.fail(String(error)));
    await service.rebuildPerspective(noteTraces);
    // Where the first of its batches began; none when there was nothing left to take.
    expect(places[0] ?? reached).toBe(reached);
    await checkModels(service, (await caughtUp(service)).events);
    expect(await storage.perspectives.readRebuilding(noteTraces.name)).toEqual([]);
    await service.stop();
  });
});

/** Notes where each batch begins that is kept in tables beside others. */
function watched(storage: DurableStorage, places: number[]): DurableStorage {
  const perspectives = new Proxy(storage.perspectives, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'commitPerspective') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return (commit: PerspectiveCommit) => {
        if (commit.tables?.role === 'rebuilding') places.push(commit.from.sequence);
        return target.commitPerspective(commit);
      };
    },
  });
  return new Proxy(storage, {
    get(target, name) {
      if (name === 'perspectives') return perspectives;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** What has happened, once all models have it. */
async function caughtUp(service: Service): Promise<{ log: StoredEvent[]; events: StoredEvent[] }> {
  const log = await collect(service.eventStore.readAll());
  const events = log.filter(({ envelope }) => envelope.payload instanceof Counted);
  expect(events.length).toBeGreaterThan(0);
  for (const one of [streamTraces, noteTraces]) {
    await service.lens(one).waitFor(log.at(-1)!.envelope.id, { timeoutMs: 30_000 });
  }
  await service.idle();
  return { log, events };
}

async function checkModels(service: Service, events: readonly StoredEvent[]): Promise<void> {
  const folded = (keyOf: (event: StoredEvent) => string): Map<string, string[]> => {
    const models = new Map<string, { id: Uuid; isReceived: boolean }[]>();
    for (const event of events) {
      const { id, metadata } = event.envelope;
      models.set(keyOf(event), [...(models.get(keyOf(event)) ?? []), { id, isReceived: 'origin' in metadata }]);
    }
    return new Map([...models].map(([key, all]) => [key, causalOrder(all).map(({ id }) => id)]));
  };
  for (const [key, ids] of folded(({ streamId }) => streamId)) {
    expect(await service.lens(streamTraces).find(key)).toEqual({ ids });
  }
  for (const [key, ids] of folded(({ envelope }) => (envelope.payload as Counted).note)) {
    expect(await service.lens(noteTraces).find(key)).toEqual({ ids });
  }
}

/**
 * For each rewind of a stream there is one event that it begins, then for each perspective that it begins, once or after each kill, and once that it is
 * done, and then once that all of them are. Says how many there were.
 */
function checkRewinds(log: readonly StoredEvent[]): number {
  let rewinds = 0;
  for (const events of rewindsIn(log)) {
    // A perspective that begins again was interrupted, and another one may begin in between.
    expect(events.join(' ')).toMatch(/^(S( [sc](stream|note)Traces)+ C( |$))+$/);
    const open = new Set<string>();
    for (const event of events) {
      if (event === 'C') {
        // A rebuild takes the place of a rewind that was begun: these hosts rebuild the one perspective.
        open.delete('noteTraces');
        expect({ events, open: [...open] }).toEqual({ events, open: [] });
        rewinds++;
      }
      if (event.startsWith('s')) open.add(event.slice(1));
      if (event.startsWith('c'))
        expect({ events, wasOpen: open.delete(event.slice(1)) }).toMatchObject({ wasOpen: true });
    }
  }
  return rewinds;
}

/** The rewind events of each stream: `S` and `C` of the stream, `s` and `c` of a perspective. */
function rewindsIn(log: readonly StoredEvent[]): string[][] {
  const letters = new Map<unknown, string>([
    [StreamRewindStarted, 'S'],
    [PerspectiveRewindStarted, 's'],
    [PerspectiveRewindCompleted, 'c'],
    [StreamRewindCompleted, 'C'],
  ]);
  const emitted = new Map<string, string[]>();
  for (const { envelope } of log) {
    const letter = letters.get(envelope.payload.constructor);
    if (letter === undefined) continue;
    const { streamId, perspectiveName = '' } = envelope.payload as { streamId: string; perspectiveName?: string };
    emitted.set(streamId, [...(emitted.get(streamId) ?? []), `${letter}${perspectiveName}`]);
  }
  return [...emitted.values()];
}

/** Each rebuild is told of from its start on, goes forward, and has one end at most: none when it was killed. */
function checkRebuilds(log: readonly StoredEvent[]): void {
  const types = [
    PerspectiveRebuildStarted,
    PerspectiveRebuildProgress,
    PerspectiveRebuildCompleted,
    PerspectiveRebuildFailed,
  ];
  const rebuilds = new Map<string, object[]>();
  for (const { envelope } of log) {
    const emitted = envelope.payload as { streamId: string };
    if (!types.some((type) => emitted instanceof type)) continue;
    rebuilds.set(emitted.streamId, [...(rebuilds.get(emitted.streamId) ?? []), emitted]);
  }
  for (const emitted of rebuilds.values()) {
    expect(emitted[0]).toBeInstanceOf(PerspectiveRebuildStarted);
    expect(emitted.filter((one) => one instanceof PerspectiveRebuildStarted)).toHaveLength(1);
    const ends = emitted.filter(
      (one) => one instanceof PerspectiveRebuildCompleted || one instanceof PerspectiveRebuildFailed,
    );
    expect(ends.length).toBeLessThanOrEqual(1);
    if (ends.length === 1) expect(emitted.at(-1)).toBe(ends[0]);
  }
}
