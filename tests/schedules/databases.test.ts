import {
  createService,
  newId,
  recurring,
  runAsHost,
  type ReceptorContext,
  type SecurityContext,
  type Service,
} from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { expect, it, onTestFinished } from 'vitest';
import { describePairs, type Name } from '../databases/pairs.js';
import { Act, Reminded, remindersRegistry, schedule, scheduled } from './reminders.js';

class CleanUp {}
recurring({ cron: '0 3 1 1 *' })(CleanUp);

const caller = (tenantId: string): SecurityContext => ({
  scope: { tenantId },
  roles: new Set(),
  permissions: new Set(),
  source: 'test',
});

describePairs((fresh) => {
  it('runs the commands of each tenant in its database, and a recurring command once in each database', async () => {
    const pair = await fresh();
    const append = (text: string, context: ReceptorContext): void =>
      context.append(newId(), Object.assign(new Reminded(), { text }));
    const registry = remindersRegistry({
      scripts: { later: schedule('scheduled', { after: { days: 1 }, key: 'k' }) },
      remind: ({ text }, context) => append(text, context),
      commands: [{ command: CleanUp, receive: (context) => append('recurring', context) }],
    });
    const service: Service = createService(registry)
      .useDatabases(pair.open())
      .isolateTenants()
      .reportTo(() => {})
      .start();
    onTestFinished(() => service.stop());
    await service.ready();
    for (const tenant of ['acme', 'us-corp']) {
      await runAs(caller(tenant), () => service.dispatcher.invoke(Object.assign(new Act(), { script: 'later' })));
    }
    await service.idle();
    for (const name of ['eu', 'us'] as const) {
      const storage = pair.storage(name);
      onTestFinished(() => storage.close());
      expect((await scheduled(storage)).filter((text) => text !== undefined)).toEqual(['scheduled']);
      for (const { message } of await storage.schedule!.read(10)) await storage.schedule!.makeDue(message.id);
    }
    const textsIn = async (name: Name): Promise<string[]> => {
      const texts: string[] = [];
      await runAsHost(() =>
        service.runInDatabase(name, async () => {
          for await (const { envelope } of service.eventStore.readAll()) {
            if (envelope.payload instanceof Reminded)
              texts.push(`${envelope.payload.text} ${envelope.scope?.['tenantId']}`);
          }
        }),
      );
      return texts.toSorted();
    };
    await expect.poll(() => textsIn('eu')).toEqual(['recurring undefined', 'scheduled acme']);
    await expect.poll(() => textsIn('us')).toEqual(['recurring undefined', 'scheduled us-corp']);
  });
});
