import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostActivity } from '../capabilities/hosts.js';
import { InMemoryHosts } from './in-memory-hosts.js';

const start = Date.parse('2026-01-31T12:00:00Z');

function activity(fields: Partial<HostActivity> = {}): HostActivity {
  const counts = { commands: 1, rejected: 0, failed: 0, durations: {} };
  return { version: 'v1', library: '1.0.0', startedAt: start, at: 0, everyMs: 1_000, ...counts, ...fields };
}

const forever = 1_000_000;
const all = { from: 0, to: 1_000_000, stepMs: 1_000 };

beforeEach(() => void vi.useFakeTimers({ now: start, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('the host of this memory', () => {
  it('is listed once it has recorded activity, with the time since then', async () => {
    const hosts = new InMemoryHosts();
    expect(await hosts.read(10)).toEqual([]);
    await hosts.record(activity({ version: null }), forever);
    vi.setSystemTime(start + 40);
    const [host, ...others] = await hosts.read(10);
    expect(others).toEqual([]);
    expect(host).toEqual({
      id: host!.id,
      process: null,
      isOwn: true,
      version: null,
      library: '1.0.0',
      startedAt: start,
      seenMsAgo: 40,
    });
    expect((await hosts.read(1))[0]!.id).toBe(host!.id);
    expect(await hosts.read(0)).toEqual([]);
  });

  it('is gone after three missed intervals, or after it has left', async () => {
    const hosts = new InMemoryHosts();
    await hosts.record(activity(), forever);
    vi.setSystemTime(start + 3_000);
    expect(await hosts.read(10)).toHaveLength(1);
    vi.setSystemTime(start + 3_001);
    expect(await hosts.read(10)).toEqual([]);
    await hosts.record(activity({ at: 1_000 }), forever);
    await hosts.leave();
    expect(await hosts.read(10)).toEqual([]);
    expect(await hosts.readActivity(all)).toHaveLength(2);
  });
});

describe('the recorded activity', () => {
  it('is the sum of the intervals of a step and a version', async () => {
    const hosts = new InMemoryHosts();
    const counts = { commands: 10, rejected: 3, failed: 2, durations: { short: 4, long: 6 } };
    await hosts.record(activity({ at: 1_500, ...counts }), forever);
    await hosts.record(
      activity({ at: 1_999, commands: 5, rejected: 1, failed: 1, durations: { long: 2, longer: 3 } }),
      forever,
    );
    await hosts.record(activity({ at: 1_000, version: 'v2' }), forever);
    expect(await hosts.readActivity(all)).toEqual([
      {
        at: 1_000,
        version: 'v1',
        commands: 15,
        rejected: 4,
        failed: 3,
        durations: { short: 4, long: 8, longer: 3 },
      },
      { at: 1_000, version: 'v2', commands: 1, rejected: 0, failed: 0, durations: {} },
    ]);
    // The recorded intervals stay as they are.
    expect(await hosts.readActivity({ ...all, stepMs: 500 })).toMatchObject([
      { at: 1_000, version: 'v2' },
      { at: 1_500, commands: 15 },
    ]);
  });

  it('is in the order of time', async () => {
    const hosts = new InMemoryHosts();
    for (const at of [3_000, 1_000, 2_000]) await hosts.record(activity({ at }), forever);
    expect((await hosts.readActivity(all)).map(({ at }) => at)).toEqual([1_000, 2_000, 3_000]);
  });

  it('begins at the first time of a range, and ends before the last', async () => {
    const hosts = new InMemoryHosts();
    for (const at of [999, 1_000, 1_999, 2_000]) await hosts.record(activity({ at }), forever);
    const found = await hosts.readActivity({ from: 1_000, to: 2_000, stepMs: 1 });
    expect(found.map(({ at }) => at)).toEqual([1_000, 1_999]);
  });

  it('of an interval replaces what was recorded about it', async () => {
    const hosts = new InMemoryHosts();
    await hosts.record(activity({ at: 1_000, commands: 7 }), forever);
    await hosts.record(activity({ at: 1_000, commands: 9 }), forever);
    expect(await hosts.readActivity(all)).toMatchObject([{ commands: 9 }]);
  });

  it('is deleted once it is older than the time to retain it', async () => {
    const hosts = new InMemoryHosts();
    for (const at of [0, 1_000, 2_000]) await hosts.record(activity({ at }), forever);
    await hosts.record(activity({ at: 3_000 }), 2_000);
    expect((await hosts.readActivity(all)).map(({ at }) => at)).toEqual([1_000, 2_000, 3_000]);
  });
});
