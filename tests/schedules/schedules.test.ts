import { CommandRejectedError, type ReceptorContext } from '@svc/core';
import { collect } from '@svc/core/testing';
import { expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import {
  Act,
  act,
  makeAllDue,
  reminded,
  Reminded,
  reminder,
  schedule,
  scheduled,
  startReminders,
  type ScheduleOptions,
  type Script,
} from './reminders.js';

const later: ScheduleOptions = { after: { days: 1 } };

describeStores((stores, name) => {
  it('runs a command that is sent to its own service, after the commit and without a transport', async () => {
    const storage = (await stores.fresh())();
    const service = await startReminders(storage, {
      scripts: {
        send: (context) => {
          context.append(context.envelope.id, Object.assign(new Reminded(), { text: 'first' }));
          context.send(reminder('second'));
        },
        fail: (context) => {
          context.send(reminder('never'));
          throw new CommandRejectedError('No.');
        },
      },
    });
    await act(service, 'send');
    await expect(act(service, 'fail')).rejects.toThrow('No.');
    await expect.poll(() => reminded(service)).toEqual(['first', 'second']);
    await service.idle();
    expect(await scheduled(storage)).toEqual([]);
  });

  it('runs commands when they are due, and later ones in the order of their times', async () => {
    const storage = (await stores.fresh())();
    const service = await startReminders(storage, {
      scripts: {
        past: schedule('past', { at: new Date(0) }),
        soon: schedule('soon', { after: { milliseconds: 30 } }),
        later: schedule('later', later),
        latest: schedule('latest', { at: new Date(Date.now() + 200_000_000) }),
      },
    });
    for (const script of ['latest', 'later', 'soon', 'past']) await act(service, script);
    // On a busy machine, the second one is due before the other is scheduled.
    await expect.poll(async () => (await reminded(service)).toSorted()).toEqual(['past', 'soon']);
    expect(await scheduled(storage)).toEqual(['later', 'latest']);
  });

  it('replaces and cancels by key, also within one command and its nested commands', async () => {
    const storage = (await stores.fresh())();
    const nested = async (context: ReceptorContext, script: string): Promise<unknown> =>
      await context.invoke(Object.assign(new Act(), { script }));
    const scripts: Record<string, Script> = {
      first: schedule('first', { ...later, key: 'a' }),
      second: schedule('second', { ...later, key: 'a' }),
      cancel: (context) => context.cancelScheduled('a'),
      both: (context) => {
        schedule('cancelled', { ...later, key: 'b' })(context);
        schedule('replaced', { ...later, key: 'c' })(context);
        context.cancelScheduled('b');
        schedule('replacement', { ...later, key: 'c' })(context);
      },
      outer: async (context) => {
        schedule('outer', { ...later, key: 'd' })(context);
        await nested(context, 'inner');
        await nested(context, 'failing').catch(() => {});
      },
      inner: (context) => {
        context.cancelScheduled('d');
        schedule('inner', { ...later, key: 'e' })(context);
      },
      failing: (context) => {
        schedule('dropped', { ...later, key: 'e' })(context);
        context.cancelScheduled('c');
        throw new CommandRejectedError('No.');
      },
    };
    const service = await startReminders(storage, { scripts });
    await act(service, 'first');
    await act(service, 'second');
    expect(await scheduled(storage)).toEqual(['second']);
    await act(service, 'cancel');
    await act(service, 'both');
    expect(await scheduled(storage)).toEqual(['replacement']);
    await act(service, 'outer');
    expect((await scheduled(storage)).toSorted()).toEqual(['inner', 'replacement']);
  });

  it('audits a scheduled command with its cause, correlation and scope', async () => {
    const storage = (await stores.fresh())();
    const service = await startReminders(storage, { scripts: { schedule: schedule('now', later) } });
    const scope = { tenantId: 'acme', userId: 'ann', userName: 'Ann', roles: 'admin' };
    await service.dispatcher.invoke(Object.assign(new Act(), { script: 'schedule' }), { scope });
    await makeAllDue(storage);
    await expect.poll(() => reminded(service)).toEqual(['now']);
    await expect
      .poll(async () => (await collect(service.eventStore.readAll())).map(({ envelope }) => envelope.type))
      .toContain('svc.EventAudited');
    const all = (await collect(service.eventStore.readAll())).map(({ envelope }) => envelope);
    const audited = all
      .map(({ payload }) => payload as { commandType?: string; causationId?: string; correlationId?: string })
      .filter(({ commandType }) => commandType !== undefined);
    const [first, second] = ['reminders.Act', 'reminders.Remind'].map((type) =>
      audited.find(({ commandType }) => commandType === type),
    );
    expect(second).toMatchObject({ tenantId: 'acme', userId: 'ann', correlationId: first!.correlationId });
    expect(second!.causationId).toBe(first!.correlationId);
    const event = all.find(({ payload }) => payload instanceof Reminded)!;
    expect(event.scope).toEqual({ tenantId: 'acme', userId: 'ann', userName: 'Ann', source: 'schedule' });
  });

  it('runs what was scheduled before a restart', async () => {
    const open = await stores.fresh();
    const storage = open();
    const scripts = { soon: schedule('soon', { ...later, key: 'a' }) };
    const before = await startReminders(storage, { scripts });
    await act(before, 'soon');
    await makeAllDue(storage);
    if (name !== 'memory') await before.stop();
    const after = await startReminders(open());
    await expect.poll(() => reminded(after)).toEqual(['soon']);
  });

  it('retries a failing command, then makes it a dead letter that an operator can replay', async () => {
    const storage = (await stores.fresh())();
    let failures = 2;
    let isFixed = false;
    const service = await startReminders(storage, {
      scripts: { send: (context) => context.send(reminder('once')), reject: (context) => context.send(reminder('no')) },
      remind: ({ text }, context) => {
        if (failures-- > 0) throw new Error('Not yet.');
        if (text === 'no' && !isFixed) throw new CommandRejectedError('Never.');
        context.append(context.envelope.id, Object.assign(new Reminded(), { text }));
      },
    });
    await act(service, 'send');
    await expect.poll(() => reminded(service)).toEqual(['once']);
    await act(service, 'reject');
    await expect.poll(async () => (await service.deadLetters.list()).length).toBe(1);
    expect(await scheduled(storage)).toEqual([]);
    const [letter] = await service.deadLetters.list();
    expect(letter).toMatchObject({ direction: 'scheduled', cause: 'Refused', destination: '', attempts: 1 });
    await expect(service.deadLetters.replay(letter!.id)).rejects.toThrow('Never.');
    isFixed = true;
    await service.deadLetters.replay(letter!.id);
    expect(await reminded(service)).toEqual(['once', 'no']);
    await expect(service.deadLetters.replay(letter!.id)).rejects.toMatchObject({ code: 'SVC_UNKNOWN_DEAD_LETTER' });
  });

  it('runs nothing of a command that was cancelled or replaced while it ran', async () => {
    const storage = (await stores.fresh())();
    let isRunning = false;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const service = await startReminders(storage, {
      scripts: {
        schedule: schedule('slow', { after: { milliseconds: 0 }, key: 'a' }),
        cancel: (context) => context.cancelScheduled('a'),
      },
      remind: async (_command, context) => {
        isRunning = true;
        await released;
        context.append(context.envelope.id, new Reminded());
      },
    });
    await act(service, 'schedule');
    await expect.poll(() => isRunning).toBe(true);
    await act(service, 'cancel');
    release();
    await service.idle();
    expect(await reminded(service)).toEqual([]);
    expect(await service.deadLetters.list()).toEqual([]);
  });
});
