/** What operators see first: all hosts of a database, whichever of them answers. */
import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryStorage, newId, runAsHost, type Service } from '@svc/core';
import { around } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import { commitRecord } from '@svc/core/testing';
import { operatorConsole } from '@svc/console';
import { serve } from '@svc/http';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { Count, countingService } from './counting-service.mjs';

/** Commands that fail on purpose are not printed. */
const noLog = { error: () => {}, info: () => {} };
const waiting = { timeout: 30_000, interval: 100 };

/** What these tests use of the responses. */
interface Shown {
  readonly checks: readonly { readonly name: string }[];
  readonly hosts: readonly { readonly version: string; readonly leases: readonly { readonly lane: string }[] }[];
  readonly now: { readonly commandsPerSecond: number } | null;
  readonly outbox: readonly { readonly lane: string; readonly waiting: number; readonly oldest: string }[];
  readonly deadLetters: readonly object[];
  readonly seals: { readonly checkpoint: number | null };
  readonly versions: readonly object[];
  readonly points: readonly Point[];
  readonly pointSeconds: number;
}

interface Point {
  readonly commandsPerSecond: number;
  readonly rejectedPerSecond: number;
  readonly failedPerSecond: number;
  readonly p99Ms: number | null;
}

async function get(url: string, path: string, caller = 'operator'): Promise<{ status: number; body: Shown }> {
  const response = await fetch(`${url}/console/api${path}`, { headers: { authorization: caller } });
  return { status: response.status, body: (await response.json()) as Shown };
}

async function count(url: string, outcome: string, times: number): Promise<void> {
  const send = (): Promise<Response> =>
    fetch(`${url}/count`, {
      method: 'POST',
      headers: { authorization: 'clerk', 'content-type': 'application/json' },
      body: JSON.stringify({ outcome }),
    });
  for (let i = 0; i < times; i++) await (await send()).text();
}

describe('the overview of two hosts on PostgreSQL', () => {
  let database: TestDatabase;
  let storage: Storage;
  let service: Service;
  let url: string;
  let stop: (() => Promise<void>) | undefined;
  let child: ChildProcess | undefined;
  let childUrl: string;

  beforeAll(async () => {
    database = await createDatabase();
    storage = postgres({ url: database.url, leaseMs: 1_000 });
    const { privateKey } = generateKeyPairSync('ed25519');
    service = countingService(storage)
      .addSeals({ keys: [privateKey], everyMs: 20 })
      .start();
    service.recordActivity({ version: '1.2.0', everyMs: 1_000 });
    const host = await serve(service, { port: 0, console: operatorConsole(), log: noLog });
    url = host.url;
    stop = () => host.stop();
    const program = await bundledProgram(new URL('counting-host.mjs', import.meta.url));
    child = spawn(process.execPath, [program, database.url, '1.3.0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [printed] = (await once(child.stdout!, 'data')) as [Buffer];
    childUrl = printed.toString().trim();
  }, 60_000);

  afterAll(async () => {
    child?.kill('SIGKILL');
    await stop?.();
    await database.remove();
  });

  it('shows hosts, versions, leases, health and lag on each host', async () => {
    for (const [own, isThis] of [
      [url, [true, false]],
      [childUrl, [false, true]],
    ] as const) {
      const hosts = async (): Promise<Shown['hosts']> => (await get(own, '/overview')).body.hosts;
      await expect.poll(hosts, waiting).toMatchObject([
        {
          version: '1.2.0',
          svcVersion: '0.1.0',
          isThis: isThis[0],
          process: expect.stringContaining(`:${process.pid}`),
        },
        {
          version: '1.3.0',
          svcVersion: '0.1.0',
          isThis: isThis[1],
          process: expect.stringContaining(`:${child!.pid}`),
        },
      ]);
    }
    await count(url, 'counted', 1);
    const overview = async (): Promise<Shown> => (await get(url, '/overview')).body;
    await expect.poll(overview, waiting).toMatchObject({
      status: 'Healthy',
      perspectives: [{ name: 'Counters', behind: 0, oldest: null, stopped: 0 }],
      reactions: [],
      outbox: [
        { lane: 'system', waiting: 0, oldest: null },
        { lane: 'transport', waiting: 0, oldest: null },
      ],
      deadLetters: [],
      seals: { failure: null, anchors: [] },
    });
    const { checks } = await overview();
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['svc_perspectives', 'svc_seals']));
    const lanes = async (): Promise<string[]> =>
      (await overview()).hosts.flatMap(({ leases }) => leases.map(({ lane }) => lane));
    await expect.poll(lanes, waiting).toEqual(expect.arrayContaining([expect.stringContaining('Counters')]));
    await expect.poll(async () => (await overview()).seals.checkpoint, waiting).toBeGreaterThan(0);
  });

  it('shows what waits, and dead letters by cause', async () => {
    const id = newId();
    const message = { id, type: 'a.B', streamId: id, body: '{}', timestamp: 0, correlationId: id };
    const letter = {
      id: newId(),
      direction: 'incoming' as const,
      cause: 'Refused' as const,
      destination: 'inbox',
      origin: 'other',
      message: { ...message, causationId: null, scope: null, metadata: {} },
      errorName: 'Error',
      errorMessage: 'failed',
      attempts: 1,
      firstFailedAt: 0,
      lastFailedAt: 0,
    };
    const outgoing = { id: newId(), lane: 'transport' as const, destination: 'other', message: letter.message };
    await storage.commit(
      commitRecord({ deadLetters: [letter], outgoing: [{ ...outgoing, note: null, eventId: null }] }),
    );
    const shown = async (): Promise<unknown> => {
      const { deadLetters, outbox } = (await get(url, '/overview')).body;
      const { lane, waiting: messages, oldest } = outbox[1]!;
      return { deadLetters, lane, messages, isOld: Date.now() - Date.parse(oldest) < 60_000 };
    };
    const expected = { deadLetters: [{ cause: 'Refused', count: 1 }], lane: 'transport', messages: 1, isOld: true };
    await expect.poll(shown, waiting).toEqual(expected);
  });

  it('measures rates, and how commands are split between versions', async () => {
    // One command ran before.
    await count(url, 'counted', 2);
    await count(url, 'rejected', 4);
    await count(url, 'failed', 3);
    await count(childUrl, 'counted', 30);
    const split = async (): Promise<Shown['versions']> => (await get(url, '/deployment')).body.versions;
    await expect.poll(split, waiting).toMatchObject([
      { version: '1.3.0', hosts: 1, commands: 30, share: 0.75 },
      { version: '1.2.0', hosts: 1, commands: 10, share: 0.25 },
    ]);
    const { points, pointSeconds } = (await get(url, '/overview/history?minutes=5')).body;
    expect([points.length, pointSeconds]).toEqual([30, 10]);
    const total = (name: Exclude<keyof Point, 'p99Ms'>): number =>
      Math.round(points.reduce((sum, point) => sum + point[name] * pointSeconds, 0));
    expect([total('commandsPerSecond'), total('rejectedPerSecond'), total('failedPerSecond')]).toEqual([40, 4, 3]);
    const slowest = Math.max(...points.map(({ p99Ms }) => p99Ms ?? 0));
    expect(slowest).toBeGreaterThan(0.5);
    expect(slowest).toBeLessThan(30_000);
    const { body } = await get(url, '/overview');
    expect(body.now?.commandsPerSecond).toBeGreaterThan(0);
  });

  it('no longer shows a host that was killed, and retains what it did', async () => {
    child!.kill('SIGKILL');
    const hosts = async (): Promise<Shown['hosts']> => (await get(url, '/overview')).body.hosts;
    await expect.poll(async () => (await hosts()).map(({ version }) => version), waiting).toEqual(['1.2.0']);
    const { versions } = (await get(url, '/deployment')).body;
    expect(versions[0]).toMatchObject({ version: '1.3.0', hosts: 0, since: null, commands: 30 });
  });

  it('shows it to operators only, and bounds what they ask for', async () => {
    for (const path of ['/overview', '/overview/history', '/deployment']) {
      expect((await get(url, path, 'auditor')).status).toBe(403);
      expect((await get(url, path, 'clerk')).status).toBe(403);
    }
    for (const minutes of ['0', '61', '1.5', '1e1', '', 'all']) {
      expect((await get(url, `/overview/history?minutes=${minutes}`)).status).toBe(400);
      expect((await get(url, `/deployment?minutes=${minutes}`)).status).toBe(400);
    }
    expect((await get(url, '/overview/history')).body.points).toHaveLength(120);
  });

  it('removes a host that stops', async () => {
    const listed = async (): Promise<unknown> => (await database.query('SELECT version FROM svc_hosts')).rows;
    await expect.poll(listed).toContainEqual({ version: '1.2.0' });
    await stop!();
    expect(await listed()).not.toContainEqual({ version: '1.2.0' });
  });
});

/** A service in memory, and how often its hosts were read. */
function inMemory(): { service: Service; storage: InMemoryStorage; reads: () => number } {
  const storage = new InMemoryStorage();
  let reads = 0;
  const hosts = around(storage.hosts, {
    read: (limit) => {
      reads++;
      return storage.hosts.read(limit);
    },
  });
  const service = countingService(around<Storage>(storage, { hosts })).start();
  onTestFinished(() => service.stop());
  return { service, storage, reads: () => reads };
}

it('reads once for ten operators who look at the same time', async () => {
  const { service, reads } = inMemory();
  service.recordActivity();
  const looks = Array.from({ length: 10 }, () => runAsHost(() => service.administration.overview.read()));
  const [first, ...others] = await Promise.all(looks);
  expect(others.every((other) => other === first)).toBe(true);
  expect(first!.hosts).toHaveLength(1);
  await runAsHost(() => service.administration.overview.deployment(5));
  expect(reads()).toBe(1);
});

it('measures the rate of perspectives once for ten operators, at most once per second', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-console-rates-'));
  const storage = sqlite({ file: join(folder, 'data.db') });
  let reads = 0;
  const perspectives = around(storage.perspectives, {
    readStandings: async (names, limit) => {
      reads++;
      // As if events waited.
      const standings = await storage.perspectives.readStandings(names, limit);
      return standings.map((one) => Object.assign(one, { behind: 10 - reads }));
    },
  });
  const service = countingService(around<Storage>(storage, { perspectives })).start();
  onTestFinished(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });
  await service.ready();
  await runAsHost(() => service.dispatcher.invoke(new Count('counted')));
  const look = (): Promise<readonly { readonly behind: number }[]> =>
    runAsHost(() => service.administration.perspectives.list());
  const before = reads;
  const looks = await Promise.all(Array.from({ length: 10 }, look));
  expect(new Set(looks.map(([counters]) => counters!.behind)).size).toBe(1);
  await look();
  expect(reads - before).toBe(2);
  await expect.poll(async () => (await look()).length > 0 && reads - before, { timeout: 30_000 }).toBe(4);
});

it('records nothing in a service without the console', async () => {
  const { service, storage } = inMemory();
  await runAsHost(() => service.dispatcher.invoke(new Count('counted')));
  await service.stop();
  expect(await storage.hosts.read(10)).toEqual([]);
  expect(await storage.hosts.readActivity({ from: 0, to: Date.now() + 60_000, stepMs: 10_000 })).toEqual([]);
});
