/** `svc schedule` on the databases of running services. */
import { recurring, type Service } from '@svc/core';
import { type MigratingStorage } from '@svc/core/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { emittedEvents } from '../operations/emitted.js';
import { svc } from '../operations/processes.js';
import { Act, act, reminded, schedule, startReminders } from './reminders.js';

const databases = useDatabases();

class CleanUp {}
recurring({ cron: '0 3 1 1 *' })(CleanUp);

interface Listed {
  readonly id: string;
  readonly key: string | null;
  readonly tenant: string;
}

describe.each(Object.keys(databases))('svc schedule on %s', (kind) => {
  let database: TrialDatabase;
  let storage: MigratingStorage;
  let service: Service;
  beforeEach(async () => {
    database = await databases[kind]!();
    storage = database.storage();
    service = await startReminders(storage, {
      scripts: {
        first: schedule('first', { after: { hours: 1 }, key: 'a' }),
        second: schedule('second', { after: { hours: 2 } }),
      },
      commands: [{ command: CleanUp, receive: () => {} }],
    });
    const scope = { tenantId: 'acme', userId: 'ann' };
    await service.dispatcher.invoke(Object.assign(new Act(), { script: 'first' }), { scope });
    await act(service, 'second');
    await service.idle();
  });
  afterEach(async () => {
    await service.stop();
    await database.remove();
  });

  const at = (...args: string[]) => svc('schedule', ...args, '--database', database.where);
  const listed = async (...args: string[]): Promise<readonly Listed[]> =>
    (JSON.parse((await at('list', '--json', ...args)).out) as { commands: Listed[] }).commands;

  it('lists, cancels and runs scheduled commands, and records the operator', async () => {
    const [first, second, recurs] = await listed();
    expect([first!.key, first!.tenant, second!.key, second!.tenant]).toEqual(['a', 'acme', null, '']);
    expect(recurs!.key).toContain('reminders.CleanUp');
    expect(await listed('--tenant', 'acme')).toEqual([first]);
    expect(await listed('--limit', '1', '--after', first!.id)).toEqual([second]);
    const { out: stdout } = await at('list', '--limit', '1');
    expect(stdout).toMatch(/^id +due +command +key +tenant +attempts +state\n/);
    expect(stdout).toMatch(/T\S+Z +reminders.Remind +a +acme +0 +waiting$/m);
    expect(stdout).toContain(`--after ${first!.id}`);
    expect(stdout).not.toContain('first');

    expect(await at('run', first!.id, '--as', 'bob')).toMatchObject({ code: 0 });
    await expect.poll(() => reminded(service)).toEqual(['first']);
    expect(await at('cancel', second!.id, '--as', 'bob')).toMatchObject({ code: 0 });
    expect(await listed()).toHaveLength(1);
    for (const gone of [first!, second!]) expect(await at('cancel', gone.id)).toMatchObject({ code: 1 });
    const refused = await at('cancel', recurs!.id);
    expect(refused.code).toBe(1);
    expect(refused.error).toContain('Remove @recurring');
    expect(await at('run', recurs!.id)).toMatchObject({ code: 0 });
    expect(await at('run')).toMatchObject({ code: 2 });

    await expect
      .poll(async () =>
        (await emittedEvents(storage, 'OperationEnded')).map(({ kind: what, requestedBy, target }) => [
          what,
          requestedBy,
          target,
        ]),
      )
      .toEqual(
        expect.arrayContaining([
          ['schedule.run', 'bob', 'reminders.Remind'],
          ['schedule.cancel', 'bob', 'reminders.Remind'],
        ]),
      );
  }, 60_000);
});
