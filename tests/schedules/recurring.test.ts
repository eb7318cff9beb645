import { InMemoryStorage, newId, recurring, type Command, type MessageClass, type Service } from '@svc/core';
import type { ScheduledCommand, Storage } from '@svc/core/storage';
import { commitRecord } from '@svc/core/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { makeAllDue, reminded, Reminded, startReminders, type ReminderOptions } from './reminders.js';

const hour = 3_600_000;

/** Longer than a test. */
const leaseMs = 600_000;

type RecurringOptions = Parameters<typeof recurring>[0];

/** The command `CleanUp` of one version of a service. It appends `Reminded`. */
function cleanUp(options: RecurringOptions): ReminderOptions {
  class CleanUp {}
  recurring(options)(CleanUp);
  return versionWith(CleanUp);
}

function versionWith(command: MessageClass<Command>): ReminderOptions {
  const receive: NonNullable<ReminderOptions['commands']>[number]['receive'] = (context) =>
    context.append(newId(), Object.assign(new Reminded(), { text: JSON.stringify(context.envelope.scope) }));
  return { commands: [{ command, receive }] };
}

const yearly: RecurringOptions = { cron: '0 3 1 1 *', timeZone: 'Europe/Berlin' };
const yearlyKey = '$svc-recurring|reminders.CleanUp|Europe/Berlin|0 3 1 1 *';
const later: RecurringOptions = { cron: '0 4 1 1 *' };
const laterKey = '$svc-recurring|reminders.CleanUp|UTC|0 4 1 1 *';

async function stored(storage: Storage): Promise<readonly ScheduledCommand[]> {
  return await storage.schedule!.read(100);
}

async function keysIn(storage: Storage): Promise<readonly string[]> {
  return (await stored(storage)).map(({ key }) => String(key)).toSorted();
}

/** Makes the only command due some time ago, as if no host had been running since. */
async function missedFor(storage: Storage, ms: number): Promise<void> {
  const [command] = await stored(storage);
  const { message, key, tenant } = command!;
  const added = [{ message: { ...message, id: newId() }, key, due: { at: Date.now() - ms } }];
  await storage.commit(commitRecord({ schedules: { settled: null, cancelled: [{ tenant, key: key! }], added } }));
}

describeStores((stores, name) => {
  it('runs a recurring command as the host, and stores its next time in the same commit', async () => {
    const storage = (await stores.fresh())();
    const service = await startReminders(storage, cleanUp(yearly));
    await expect.poll(async () => (await stored(storage)).length).toBe(1);
    const [first] = await stored(storage);
    expect(new Date(first!.dueAt).toISOString()).toMatch(/^\d{4}-01-01T02:00:00.000Z$/);
    await makeAllDue(storage);
    await expect.poll(() => reminded(service)).toEqual(['null']);
    await service.idle();
    const [next, ...others] = await stored(storage);
    expect(others).toEqual([]);
    expect([next!.dueAt, next!.key]).toEqual([first!.dueAt, first!.key]);
    expect(next!.message.id).not.toBe(first!.message.id);
  });

  it('applies a changed expression when a host starts, and removes a command that no longer recurs', async () => {
    const open = await stores.fresh();
    const start = async (options: ReminderOptions): Promise<readonly string[]> => {
      const storage = open();
      const service = await startReminders(storage, options);
      await service.idle();
      const keys = await keysIn(storage);
      await service.stop();
      return keys;
    };
    expect(await start(cleanUp(yearly))).toEqual([yearlyKey]);
    expect(await start(cleanUp(later))).toEqual([laterKey]);
    expect(await start({})).toEqual([]);
  });

  describe.skipIf(name === 'memory')('while two versions run', () => {
    const nextMinute = (): void => void vi.advanceTimersByTime(60_000);

    async function startVersion(storage: Storage, options: ReminderOptions): Promise<Service> {
      const service = await startReminders(storage, options);
      await service.idle();
      return service;
    }

    /** The storages of two hosts, whose leases end when they stop. */
    async function openTwo(): Promise<readonly [Storage, Storage]> {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      const open = await stores.fresh(leaseMs);
      return [open(), open()];
    }

    it('schedules the commands of both, and removes those of the version that stops first', async () => {
      const storages = await openTwo();
      const current = await startVersion(storages[0], cleanUp(yearly));
      const canary = await startVersion(storages[1], cleanUp(later));
      expect(await keysIn(storages[0])).toEqual([yearlyKey, laterKey]);
      nextMinute();
      await Promise.all([current.idle(), canary.idle()]);
      expect(await keysIn(storages[0])).toEqual([yearlyKey, laterKey]);
      await canary.stop();
      nextMinute();
      await current.idle();
      expect(await keysIn(storages[0])).toEqual([yearlyKey]);
    });

    it('removes a command that no longer recurs once the version that declares it has stopped', async () => {
      const storages = await openTwo();
      const before = await startVersion(storages[0], cleanUp(yearly));
      const after = await startVersion(storages[1], {});
      expect(await keysIn(storages[1])).toEqual([yearlyKey]);
      await before.stop();
      nextMinute();
      await after.idle();
      expect(await keysIn(storages[1])).toEqual([]);
    });

    it('schedules a command again that another host has removed', async () => {
      const storages = await openTwo();
      const service = await startVersion(storages[0], cleanUp(yearly));
      const [removed] = await stored(storages[1]);
      await storages[1].schedule!.cancel(removed!.message.id);
      nextMinute();
      await service.idle();
      expect(await keysIn(storages[0])).toEqual([yearlyKey]);
    });
  });

  it.each([
    ['once', ['null']],
    ['skip', []],
  ] as const)('runs a command that was missed several times: %s', async (missed, expected) => {
    const open = await stores.fresh();
    const options = cleanUp({ cron: '0 * * * *', missed });
    const before = await startReminders(open(), options);
    await before.idle();
    await before.stop();
    const storage = open();
    await missedFor(storage, 5 * hour);
    const service = await startReminders(storage, options);
    await expect.poll(async () => (await stored(storage))[0]!.dueAt).toBeGreaterThan(Date.now());
    await service.idle();
    expect(await reminded(service)).toEqual(expected);
    expect((await stored(storage))[0]!.dueAt - Date.now()).toBeLessThanOrEqual(hour);
  });
});

it('rejects a recurring command with required properties when the service starts', async () => {
  class NeedsText {}
  recurring(yearly)(NeedsText);
  const options = { ...versionWith(NeedsText), isStrict: true };
  await expect(startReminders(new InMemoryStorage(), options)).rejects.toMatchObject({ code: 'SVC_INVALID_SCHEDULE' });
});
