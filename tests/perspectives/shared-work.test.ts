/** Hosts in processes of their own share the perspectives evenly: each has one host at a time, and every event counts once. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type Service, type Uuid } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { createDatabase } from '../postgres/test-database.js';
import { countOf, noteOf, noteTraces, startTraceService, streams, streamTraces } from './trace-service.mjs';

const program = await bundledProgram(new URL('serving-host.mjs', import.meta.url));
const hour = 3_600_000;

interface SharedDatabase {
  readonly where: string;
  readonly storage: (leaseMs: number) => Storage;
}

const databases = {
  async postgres(): Promise<SharedDatabase> {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    return { where: database.url, storage: (leaseMs: number) => postgres({ url: database.url, leaseMs }) };
  },
  sqlite(): Promise<SharedDatabase> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-shared-work-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'data.db');
    // Without polls: what another process releases or appends is noticed as a change of the file.
    const storage = (leaseMs: number): Storage => sqlite({ file, leaseMs, pollMs: hour });
    return Promise.resolve({ where: file, storage });
  },
};

/** A host in a process of its own. */
async function startHost(where: string, leaseMs: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, where, String(leaseMs)], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (isRunning && child.kill('SIGKILL')) await once(child, 'exit');
  });
  await once(child.stdout, 'data');
  return child;
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  const exit = once(child, 'exit');
  end();
  await exit;
}

/** A host of this process, and the perspectives that it has committed to. */
async function ownHost(storage: Storage): Promise<{ service: Service; committed: Set<string> }> {
  const committed = new Set<string>();
  const perspectives = storage.perspectives!;
  const commit = perspectives.commitPerspective.bind(perspectives);
  perspectives.commitPerspective = async (batch) => {
    await commit(batch);
    committed.add(batch.perspective);
  };
  const service = await startTraceService(storage);
  onTestFinished(() => service.stop());
  await service.idle();
  return { service, committed };
}

/** How many perspectives each host processes. */
async function shares(storage: Storage): Promise<number[]> {
  const held = await storage.leases!.readHeld('perspectives/');
  const hosts = held.filter(({ lane }) => lane.includes('/host/')).map(({ holder }) => holder);
  const work = held.filter(({ lane }) => lane.includes('/of/'));
  return hosts.map((host) => work.filter(({ holder }) => holder === host).length).toSorted((a, b) => b - a);
}

async function processed(service: Service, id: Uuid): Promise<void> {
  for (const one of [streamTraces, noteTraces]) await service.lens(one).waitFor(id, { timeoutMs: 30_000 });
}

const soon = { timeout: 15_000, interval: 20 };

describe.each(Object.keys(databases) as (keyof typeof databases)[])('on %s', (kind) => {
  it.each([
    ['stops', (child: ChildProcess): void => void child.stdin!.end(), hour],
    // SQLite sees that the process has ended; on PostgreSQL its leases expire.
    ['is killed', (child: ChildProcess): void => void child.kill('SIGKILL'), kind === 'sqlite' ? hour : 1_500],
  ] as const)('a host that joins takes its share, and another takes it over when it %s', async (how, end, leaseMs) => {
    const { where, storage } = await databases[kind]();
    const own = storage(leaseMs);
    const { service, committed } = await ownHost(own);
    expect(await shares(own)).toEqual([2]);
    const child = await startHost(where, leaseMs);
    await expect.poll(() => shares(own), soon).toEqual([1, 1]);
    committed.clear();
    for (let i = 0; i < 5; i++) {
      const id = newId();
      await countOf(service, streams[0]!, id);
      await processed(service, id);
    }
    expect(committed.size).toBe(1);
    await ended(child, () => end(child));
    const id = newId();
    const started = performance.now();
    await countOf(service, streams[0]!, id);
    await processed(service, id);
    // Released leases are noticed at once, those of a killed host when they expire; on SQLite at the next check, 1 s later at most.
    const expectedMs = how === 'stops' ? 0 : kind === 'sqlite' ? 1_000 : leaseMs;
    expect(performance.now() - started).toBeLessThan(expectedMs + 1_000);
    expect(committed.size).toBe(2);
    expect(await shares(own)).toEqual([2]);
  });

  it('every event counts once, in order, while hosts join, leave and are killed under load', async () => {
    const { where, storage } = await databases[kind]();
    const leaseMs = 1_500;
    const { service } = await ownHost(storage(leaseMs));
    const expected: Uuid[] = [];
    const children: ChildProcess[] = [];
    const over = new AbortController();
    const load = (async () => {
      while (!over.signal.aborted) {
        const id = newId();
        expected.push(id);
        await countOf(service, streams[Number.parseInt(id.slice(-4, -2), 16) % streams.length]!, id);
        // Room for the hosts that start.
        await sleep(10);
      }
    })();
    for (let i = 0; i < 4; i++) {
      if (i % 2 === 0) children.push(await startHost(where, leaseMs), await startHost(where, leaseMs));
      const [child] = children.splice(0, 1);
      await ended(child!, () => (i % 2 === 0 ? child!.kill('SIGKILL') : child!.stdin!.end()));
    }
    over.abort();
    await load;
    const last = newId();
    expected.push(last);
    await countOf(service, streams[0]!, last);
    await processed(service, last);
    for (const note of ['a', 'b', 'c']) {
      const model = (await service.lens(noteTraces).find(note)) as { ids: Uuid[] } | null;
      expect(model?.ids ?? []).toEqual(expected.filter((id) => noteOf(id) === note));
    }
    expect(expected.length).toBeGreaterThan(100);
  });
});
