import { currentSecurityContext, newId, runAsHost, type SecurityContext, type Service, type Uuid } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import { collect } from '@svc/core/testing';
import { expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { Act, makeAllDue, reminded, Reminded, reminder, schedule, scheduled, startReminders } from './reminders.js';

const caller = (tenantId: string): SecurityContext => ({
  scope: { tenantId, userId: `a user of ${tenantId}` },
  roles: new Set(['admin']),
  permissions: new Set(),
  source: 'test',
});

const isolated = (service: Service): Service => service.isolateTenants();

const actAs = (tenantId: string, service: Service, script: string): Promise<unknown> =>
  runAs(caller(tenantId), () => service.dispatcher.invoke(Object.assign(new Act(), { script })));

async function allReminded(service: Service): Promise<string[]> {
  return (await runAsHost(() => reminded(service))).toSorted();
}

async function runAll(service: Service, storage: Storage): Promise<void> {
  await makeAllDue(storage);
  await service.idle();
}

describeStores((stores) => {
  it('has the keys of each tenant apart', async () => {
    const storage = (await stores.fresh())();
    const scripts = {
      first: schedule('first', { after: { days: 1 }, key: 'k' }),
      second: schedule('second', { after: { days: 2 }, key: 'k' }),
      cancel: (context: Parameters<ReturnType<typeof schedule>>[0]) => context.cancelScheduled('k'),
    };
    const service = await startReminders(storage, { scripts }, isolated);
    await actAs('acme', service, 'first');
    await actAs('evil', service, 'second');
    await actAs('other', service, 'cancel');
    expect(await scheduled(storage)).toEqual(['first', 'second']);
    await actAs('evil', service, 'cancel');
    expect(await scheduled(storage)).toEqual(['first']);
  });

  it('lets a scheduled command reach the streams of its own tenant only, without roles', async () => {
    const storage = (await stores.fresh())();
    const streams: Record<string, Uuid> = { acme: newId(), evil: newId() };
    const contexts: (SecurityContext | null)[] = [];
    const service = await startReminders(
      storage,
      {
        scripts: {
          open: (context) => {
            const tenant = currentSecurityContext()!.scope.tenantId!;
            context.append(streams[tenant]!, Object.assign(new Reminded(), { text: `opened by ${tenant}` }));
          },
          own: (context) => context.send(reminder('acme')),
          foreign: (context) => context.send(reminder('evil')),
        },
        remind: async ({ text }, context) => {
          contexts.push(currentSecurityContext());
          const { length: read } = await collect(context.readStream(streams[text]!));
          context.append(streams[text]!, Object.assign(new Reminded(), { text: `read ${read} of ${text}` }));
        },
      },
      isolated,
    );
    await actAs('acme', service, 'open');
    await actAs('evil', service, 'open');
    await actAs('acme', service, 'own');
    await actAs('acme', service, 'foreign');
    await runAll(service, storage);
    expect(await allReminded(service)).toEqual(['opened by acme', 'opened by evil', 'read 1 of acme']);
    const [letter, ...others] = await runAsHost(() => service.deadLetters.list());
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      direction: 'scheduled',
      cause: 'Refused',
      message: { scope: { tenantId: 'acme' } },
    });
    for (const context of contexts) {
      expect(context!.scope).toMatchObject({ tenantId: 'acme', userId: 'a user of acme' });
      expect([context!.roles.size, context!.permissions.size, context!.source]).toEqual([0, 0, 'schedule']);
    }
  });
});
