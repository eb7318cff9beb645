import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { InMemoryStorage, type StorageLeases } from '../storage/index.js';
import type { RecurringParts } from './recurring-commands.js';
import { compareMs, RecurringWorker } from './recurring-worker.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const { schedule } = new InMemoryStorage();
const nightly = { type: 'shop.CleanUp', recurrence: { cron: '0 3 * * *', timeZone: 'UTC' } };

function startHost(storage: RecurringParts['storage'] = { leases }): RecurringWorker {
  const log = { commit: () => {} } as unknown as RecurringParts['log'];
  const parts = { schedule, log, storage, commands: new Map([['key', nightly]]), now: () => 0 };
  const host = new RecurringWorker(parts, (error) => expect.unreachable(String(error)));
  host.start();
  return host;
}

/** How often a host has asked for the lease of its version. */
let asked: number;
let isFree: boolean;
beforeEach(() => void ([asked, isFree] = [0, true]));
const leases: StorageLeases = {
  hold(lane) {
    if (!lane.includes('/')) return Promise.resolve(true);
    asked++;
    return Promise.resolve(isFree);
  },
  release: () => Promise.resolve(),
  readHeld: () => Promise.resolve([]),
  onReleased: () => {},
};

it('renews the lease of its version before it ends, until the host stops', async () => {
  const host = startHost();
  await host.idle();
  expect(asked).toBe(1);
  vi.advanceTimersByTime(schedule.leaseMs / 3);
  expect(asked).toBe(2);
  await host.stop();
  vi.advanceTimersByTime(compareMs);
  expect(asked).toBe(2);
});

it('asks once a minute for a lease that another host of its version holds', async () => {
  isFree = false;
  const host = startHost();
  await host.idle();
  vi.advanceTimersByTime(compareMs - 1);
  expect(asked).toBe(1);
  vi.advanceTimersByTime(1);
  await host.idle();
  expect(asked).toBe(2);
  await host.stop();
});

it('compares once if no other host can use the storage', async () => {
  const host = startHost({});
  await host.idle();
  expect(vi.getTimerCount()).toBe(0);
  await host.stop();
});
