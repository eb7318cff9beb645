/** A service that cannot run what an earlier version has scheduled says so when it starts. */
import { recurring } from '@svc/core';
import { expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { act, startReminders, type ReminderOptions } from './reminders.js';

class Notify {}
class CleanUp {}
recurring({ cron: '0 3 1 1 *' })(CleanUp);

const earlier: ReminderOptions = {
  commands: [Notify, CleanUp].map((command) => ({ command, receive: () => {} })),
  scripts: { later: (context) => context.schedule(new Notify(), { after: { days: 1 } }) },
};

describeStores((stores) => {
  it('reports types of scheduled commands without a receptor, but no recurring command, which it removes', async () => {
    const open = await stores.fresh();
    const before = await startReminders(open(), earlier);
    await act(before, 'later');
    await act(before, 'later');
    await before.idle();
    await before.stop();
    const reported: unknown[] = [];
    await startReminders(open(), { report: (error) => void reported.push(error) });
    await expect.poll(() => reported).toMatchObject([{ code: 'SVC_UNKNOWN_MESSAGE' }]);
    expect(String(reported[0])).toMatch(
      / no receptor in this service: reminders\.Notify\. They wait .*@storedAs.*"svc schedule cancel"/,
    );
  });
});
