/** How often a scheduled command is attempted, by which host, and what an operator can do afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandRejectedError, InMemoryStorage, recurring, type ReceptorContext, type Service } from '@svc/core';
import { sqlite } from '@svc/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { act, makeAllDue, remind, reminded, reminder, schedule, scheduled, startReminders } from './reminders.js';

it('makes a command that fails at every attempt a dead letter after 10 attempts', async () => {
  const storage = new InMemoryStorage();
  let attempts = 0;
  const reported: unknown[] = [];
  const service = await startReminders(storage, {
    report: (error) => void reported.push(error),
    scripts: { start: schedule('odd', { after: { days: 1 }, key: 'a' }) },
    remind: () => {
      attempts++;
      throw new Error('No luck.');
    },
  });
  await act(service, 'start');
  const isGivenUp = async (): Promise<boolean> => {
    // Without waiting for the pauses between attempts, which last 25 seconds together.
    await makeAllDue(storage);
    await service.idle();
    return (await service.deadLetters.list()).length > 0;
  };
  await expect.poll(isGivenUp, { timeout: 20_000, interval: 1 }).toBe(true);
  expect(attempts).toBe(10);
  expect(await scheduled(storage)).toEqual([]);
  const [letter, ...others] = await service.deadLetters.list();
  expect(others).toEqual([]);
  expect(letter).toMatchObject({
    direction: 'scheduled',
    cause: 'AttemptsExhausted',
    destination: 'a',
    attempts: 10,
    errorMessage: 'No luck.',
  });
  const common = {
    code: 'SVC_SCHEDULED_COMMAND_FAILED',
    commandType: letter!.message.type,
    commandId: letter!.message.id,
  };
  const cause: unknown = expect.objectContaining({
    message: 'No luck.',
    stack: expect.stringContaining('attempts.test.ts') as string,
  });
  expect(reported).toMatchObject([
    {
      ...common,
      attempt: 1,
      cause,
      message: expect.stringMatching(/ failed, attempt 1\. The next attempt is in \d s\.$/) as string,
    },
    {
      ...common,
      attempt: 10,
      cause,
      message: expect.stringContaining('attempt 10. It is a dead letter now.') as string,
    },
  ]);
});

it('logs a command that its receptor rejects once', async () => {
  const storage = new InMemoryStorage();
  const reported: unknown[] = [];
  const service = await startReminders(storage, {
    scripts: { start: (context) => context.send(reminder('never')) },
    report: (error) => void reported.push(error),
    remind: () => {
      throw new CommandRejectedError('Not now.');
    },
  });
  await act(service, 'start');
  await expect.poll(async () => (await service.deadLetters.list()).length).toBe(1);
  await service.idle();
  expect(reported).toMatchObject([
    { code: 'SVC_SCHEDULED_COMMAND_FAILED', attempt: 1, cause: { message: 'Not now.' } },
  ]);
});

it('renews its claim to a command that runs for longer than a lease, so that no other host runs it too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-claims-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const leaseMs = 600;
  const runs: string[] = [];
  const hosts: Service[] = [];
  for (const name of ['first', 'second']) {
    const host = await startReminders(sqlite({ file: join(folder, 'data.db'), leaseMs, pollMs: 50 }), {
      scripts: { start: (context) => context.send(reminder('long')) },
      remind: async (command, context) => {
        runs.push(name);
        await sleep(3 * leaseMs);
        remind(command, context);
      },
    });
    hosts.push(host);
  }
  await act(hosts[0]!, 'start');
  await expect.poll(() => reminded(hosts[0]!), { timeout: 20_000 }).toEqual(['long']);
  expect(runs).toHaveLength(1);
});

class CleanUp {}
recurring({ cron: '0 0 1 1 *' })(CleanUp);

it('replays the dead letter of a recurring command, and leaves its next run as it is', async () => {
  const storage = new InMemoryStorage();
  let isBroken = true;
  const clean = (context: ReceptorContext): void => {
    if (isBroken) throw new CommandRejectedError('Not now.');
    remind(reminder('cleaned'), context);
  };
  const service = await startReminders(storage, { commands: [{ command: CleanUp, receive: clean }] });
  await service.idle();
  await makeAllDue(storage);
  await expect.poll(async () => (await service.deadLetters.list()).length).toBe(1);
  const next = await storage.schedule.read(10);
  expect(next).toHaveLength(1);

  const [letter] = await service.deadLetters.list();
  await expect(service.deadLetters.replay(letter!.id)).rejects.toThrow('Not now.');
  isBroken = false;
  await service.deadLetters.replay(letter!.id);
  await service.idle();
  expect(await reminded(service)).toEqual(['cleaned']);
  expect(await service.deadLetters.list()).toEqual([]);
  expect(await storage.schedule.read(10)).toEqual(next);
});
