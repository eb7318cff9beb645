import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recurring } from '@svc/core';
import { rememberIds } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { act, reminded, schedule, scheduled, startReminders } from './reminders.js';

const hour = 3_600_000;

/** Sets the clock of this process wrong by some time, until the test ends. */
function skew(): (ms: number) => void {
  const real = Date.now.bind(Date);
  const now = vi.spyOn(Date, 'now');
  // Other files follow in this process: their ids must not be hours ahead.
  const forgetIds = rememberIds();
  onTestFinished(() => {
    now.mockRestore();
    forgetIds();
  });
  return (ms) => now.mockImplementation(() => real() + ms);
}

describe('on PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await createDatabase()));
  afterAll(() => database.remove());

  it.each([
    ['hours behind', -3 * hour],
    ['hours ahead', 3 * hour],
  ])('the clock of a host that is %s changes nothing', async (_what, ms) => {
    await database.reset();
    const started = Date.now();
    skew()(ms);
    const storage = postgres({ url: database.url });
    const service = await startReminders(storage, {
      scripts: {
        now: schedule('now', { at: new Date(started) }),
        soon: schedule('soon', { after: { milliseconds: 20 } }),
        hour: schedule('in an hour', { after: { hours: 1 } }),
        later: schedule('in two hours', { at: new Date(started + 2 * hour) }),
      },
    });
    for (const script of ['later', 'hour', 'soon', 'now']) await act(service, script);
    await expect.poll(async () => (await reminded(service)).toSorted()).toEqual(['now', 'soon']);
    await service.idle();
    expect(await scheduled(storage)).toEqual(['in an hour', 'in two hours']);
    const [first] = await storage.schedule.read(1);
    expect(Math.abs(first!.dueAt - started - hour)).toBeLessThan(60_000);
  });
});

describe('on SQLite', () => {
  it('follows a clock that jumps ahead, and runs no recurring command twice if it jumps back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-schedules-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const setSkew = skew();
    setSkew(0);
    class CleanUp {}
    recurring({ cron: '0 * * * *' })(CleanUp);
    const runs: number[] = [];
    const storage = sqlite({ file: join(folder, 'data.db'), pollMs: 20 });
    const service = await startReminders(storage, {
      scripts: {
        later: schedule('later', { after: { hours: 1 } }),
        now: schedule('now', { after: { seconds: 0 } }),
      },
      commands: [{ command: CleanUp, receive: () => void runs.push(Date.now()) }],
    });
    await act(service, 'later');
    await service.idle();
    const due = async (): Promise<number> => (await storage.schedule.read(10)).find(({ key }) => key !== null)!.dueAt;
    const first = await due();
    setSkew(2 * hour);
    await expect.poll(() => reminded(service)).toEqual(['later']);
    await expect.poll(() => runs.length).toBe(1);
    await service.idle();
    const second = await due();
    expect(second).toBeGreaterThan(first);
    setSkew(-2 * hour);
    await act(service, 'now');
    await expect.poll(() => reminded(service)).toEqual(['later', 'now']);
    expect([runs.length, await due()]).toEqual([1, second]);
  });
});
