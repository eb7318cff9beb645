import { newId } from '@svc/core';
import { postgres, type PostgresStorage } from '@svc/postgres';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { act, Reminded, reminded, reminder, schedule, startReminders } from './reminders.js';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.remove());
beforeEach(() => database.reset());

const opened = (options: object = {}): PostgresStorage => {
  const storage = postgres({ url: database.url, ...options });
  onTestFinished(() => storage.close());
  return storage;
};

it('lets hosts share due commands, and runs each once', async () => {
  const count = 200;
  const ran = [0, 0];
  const scripts = {
    many: (context: Parameters<ReturnType<typeof schedule>>[0]) => {
      for (let i = 0; i < count; i++) context.send(reminder(String(i)));
    },
  };
  const [first] = await Promise.all(
    ran.map((_, host) =>
      startReminders(opened(), {
        scripts,
        remind: async (command, context) => {
          ran[host]!++;
          // Long enough for the other host to claim some.
          await new Promise((resolve) => setTimeout(resolve, 5));
          context.append(newId(), Object.assign(new Reminded(), command));
        },
      }),
    ),
  );
  await act(first!, 'many');
  await expect.poll(async () => (await reminded(first!)).length, { timeout: 20_000 }).toBe(count);
  expect(new Set(await reminded(first!)).size).toBe(count);
  expect(Math.min(...ran)).toBeGreaterThan(0);
}, 30_000);

it('takes over the commands of a killed host when its claims end', async () => {
  const scripts = { later: schedule('later', { after: { days: 1 } }) };
  const dead = opened({ leaseMs: 300 });
  const scheduling = await startReminders(dead, { scripts });
  await act(scheduling, 'later');
  await scheduling.stop();
  const claiming = opened({ leaseMs: 300 });
  const [{ message }] = (await claiming.schedule.read(1)) as [Awaited<ReturnType<typeof claiming.schedule.read>>[0]];
  await claiming.schedule.makeDue(message.id);
  expect((await claiming.schedule.claim(newId(), ['reminders.Remind'], 1)).commands).toHaveLength(1);
  const service = await startReminders(opened({ pollMs: 60_000 }), { scripts });
  await expect.poll(() => reminded(service)).toEqual(['later']);
});

it('runs what another process schedules, without polling', async () => {
  const idle = await startReminders(opened({ pollMs: 60_000 }));
  await idle.idle();
  const other = opened();
  const id = newId();
  const message = { id, type: 'reminders.Remind', body: '{"text":"notified"}', timestamp: 0, correlationId: id };
  const added = [
    { message: { ...message, causationId: null, scope: null, metadata: {} }, key: null, due: { afterMs: 0 } },
  ];
  await other.commit({
    events: [],
    outgoing: [],
    delivered: null,
    received: [],
    schedules: { settled: null, cancelled: [], added },
  });
  await expect.poll(() => reminded(idle)).toEqual(['notified']);
});
