import { InMemoryStorage, newId, recurring, type Command, type MessageClass } from '@svc/core';
import type { ScheduledCommand, Storage } from '@svc/core/storage';
import { commitRecord } from '@svc/core/testing';
import { expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { makeAllDue, reminded, Reminded, startReminders, type ReminderOptions } from './reminders.js';

const hour = 3_600_000;

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

async function stored(storage: Storage): Promise<readonly ScheduledCommand[]> {
  return await storage.schedule!.read(100);
}

/** Makes the only command due some time ago, as if no host had been running since. */
async function missedFor(storage: Storage, ms: number): Promise<void> {
  const [command] = await stored(storage);
  const { message, key, tenant } = command!;
  const added = [{ message: { ...message, id: newId() }, key, due: { at: Date.now() - ms } }];
  await storage.commit(commitRecord({ schedules: { settled: null, cancelled: [{ tenant, key: key! }], added } }));
}

describeStores((stores) => {
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
    const start = async (options: ReminderOptions): Promise<readonly (string | null)[]> => {
      const storage = open();
      const service = await startReminders(storage, options);
      await service.idle();
      const keys = (await stored(storage)).map(({ key }) => key);
      await service.stop();
      return keys;
    };
    expect(await start(cleanUp(yearly))).toEqual(['$svc-recurring|reminders.CleanUp|Europe/Berlin|0 3 1 1 *']);
    expect(await start(cleanUp({ cron: '0 4 1 1 *' }))).toEqual(['$svc-recurring|reminders.CleanUp|UTC|0 4 1 1 *']);
    expect(await start({})).toEqual([]);
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
