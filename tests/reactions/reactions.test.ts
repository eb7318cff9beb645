/** What reactions promise, on each storage. */
import { CommandRejectedError, newId, type ReactionFailed, type Service, type Uuid } from '@svc/core';
import { StorageUnavailableError } from '@svc/core/storage';
import { expect, it, vi } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { OrderPaid, PlaceOrder } from '../system-events/shop.js';
import { append, eventsIn, reactionOf, shopWith, started, systemEvents } from './reaction-shop.js';

const paid = (): OrderPaid => new OrderPaid();

describeStores((stores) => {
  it('reacts to each event once: the changes are committed with the cause, correlation and key of the event', async () => {
    const open = await stores.fresh();
    const keys: Uuid[] = [];
    const charge = reactionOf({ name: 'Charge' }, (_event, context) => {
      keys.push(context.key);
      context.append(context.envelope.streamId!, paid());
    });
    const service = await started([charge], open());
    const order = await append(service, 'a');
    await append(service, 'b');
    await service.idle();
    const [placed, payment, ...others] = await eventsIn(service, order);
    expect(others).toEqual([]);
    expect(payment!.envelope.type).toBe('shop.OrderPaid');
    expect(payment!.envelope.causationId).toBe(placed!.envelope.id);
    expect(payment!.envelope.correlationId).toBe(placed!.envelope.correlationId);
    expect(new Set(keys).size).toBe(2);

    await service.stop();
    const next = await started([charge], open());
    await next.idle();
    expect(await eventsIn(next, order), 'a restart triggers nothing').toHaveLength(2);
    expect(keys).toHaveLength(2);
  });

  it('processes the events of a stream in order, and those of different streams concurrently', async () => {
    const seen: string[] = [];
    let running = 0;
    let most = 0;
    const slow = reactionOf({ name: 'Slow', concurrency: 3 }, async ({ note }) => {
      most = Math.max(most, ++running);
      seen.push(note);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    });
    const service = await started([slow], (await stores.fresh())());
    const [one, other] = [newId(), newId()];
    const appends: Promise<unknown>[] = [];
    for (let i = 0; i < 20; i++) appends.push(append(service, `one ${i}`, one), append(service, `other ${i}`, other));
    for (let i = 0; i < 10; i++) appends.push(append(service, 'single'));
    await Promise.all(appends);
    await service.idle();
    const of = (name: string): string[] => seen.filter((note) => note.startsWith(`${name} `));
    const inOrder = (name: string): string[] => Array.from({ length: 20 }, (_, i) => `${name} ${i}`);
    expect(of('one')).toEqual(inOrder('one'));
    expect(of('other')).toEqual(inOrder('other'));
    expect(seen).toHaveLength(50);
    expect(most).toBe(3);
  });

  it('commits nothing of a failed attempt, and retries its stream in order while other streams continue', async () => {
    const attempts: string[] = [];
    const keys = new Set<Uuid>();
    const retry = { attempts: 5, firstDelayMs: 1 };
    const failing = reactionOf({ name: 'Failing', retry }, ({ note }, context) => {
      attempts.push(`${note} ${context.attempt}`);
      if (note === 'bad') keys.add(context.key);
      context.append(context.envelope.streamId!, paid());
      if (note === 'bad' && context.attempt < 3) throw new Error('not yet');
    });
    const service = await started([failing], (await stores.fresh())());
    const stream = await append(service, 'bad');
    await append(service, 'after', stream);
    await append(service, 'elsewhere');
    await expect.poll(async () => (await eventsIn(service, stream)).length).toBe(4);
    expect(attempts.filter((text) => !text.startsWith('elsewhere'))).toEqual(['bad 1', 'bad 2', 'bad 3', 'after 1']);
    expect(attempts).toContain('elsewhere 1');
    expect(keys.size, 'the key is stable across attempts').toBe(1);
    await append(service, 'late', stream);
    await service.idle();
    expect(attempts.at(-1)).toBe('late 1');
  });

  it('retries a stream although the streams to retry could not be read', async () => {
    const storage = (await stores.fresh())();
    const unavailable = new StorageUnavailableError('none', new Error('The answer was lost.'));
    const readDue = vi.spyOn(storage.reactions!, 'readDue').mockRejectedValueOnce(unavailable);
    let attempts = 0;
    const charge = reactionOf({ name: 'Charge', retry: { firstDelayMs: 5 } }, () => {
      if (++attempts === 1) throw new Error('declined');
    });
    const service = await started([charge], storage);
    await append(service, 'a');
    await expect.poll(() => attempts, { timeout: 20_000 }).toBe(2);
    expect(readDue.mock.calls.length).toBeGreaterThan(1);
  });

  it('parks a stream after the last attempt, emits ReactionFailed, and continues after a retry or skip of an operator', async () => {
    const open = await stores.fresh();
    const processed: string[] = [];
    let isFixed = false;
    const failing = reactionOf(
      { name: 'Parking', retry: { attempts: 2, firstDelayMs: 1 } },
      ({ note }, { attempt }) => {
        if (note.startsWith('bad') && !isFixed) throw new Error(`no: password=secret ${attempt}`);
        processed.push(note);
      },
    );
    const storage = open();
    const service = await started([failing], storage);
    const stream = await append(service, 'bad 1');
    await append(service, 'good 1', stream);
    const parkedCount = async (): Promise<number> => (await storage.reactions!.readStandings(1))[0]!.parked;
    await expect.poll(parkedCount).toBe(1);
    await service.idle();
    expect(processed).toEqual([]);
    const [failed, ...others] = await systemEvents(service, 'svc.ReactionFailed');
    expect(others).toEqual([]);
    const record = failed!.envelope.payload as ReactionFailed;
    expect(record).toMatchObject({ reactionName: 'Parking', streamId: stream, attempt: 2, errorName: 'Error' });
    expect(record.errorMessage).not.toContain('secret');
    await expect.poll(() => statusOf(service)).toBe('Degraded');

    await append(service, 'good 2', stream);
    await service.idle();
    expect(processed, 'later events wait').toEqual([]);
    expect(await storage.reactions!.skip('Parking', stream)).toBe(true);
    await append(service, 'elsewhere');
    await expect.poll(() => processed.toSorted(), { timeout: 5_000 }).toEqual(['elsewhere', 'good 1', 'good 2']);

    const second = await append(service, 'bad 2');
    await expect.poll(parkedCount).toBe(1);
    isFixed = true;
    expect(await storage.reactions!.retry('Parking', second)).toBe(1);
    await expect.poll(() => processed, { timeout: 5_000 }).toContain('bad 2');
    await service.idle();
    expect(await parkedCount()).toBe(0);
    await expect.poll(() => statusOf(service), { timeout: 5_000 }).toBe('Healthy');
  });

  it('parks a stream at once for an error that a retry would not fix', async () => {
    class OwnError extends Error {}
    const attempts: string[] = [];
    const failing = reactionOf({ name: 'Lasting', retry: { attempts: 9, except: [OwnError] } }, ({ note }) => {
      attempts.push(note);
      throw note === 'rejected' ? new CommandRejectedError('No.') : new OwnError('never');
    });
    const storage = (await stores.fresh())();
    const service = await started([failing], storage);
    await append(service, 'rejected');
    await append(service, 'own');
    await expect.poll(async () => (await storage.reactions!.readStandings(1))[0]!.parked).toBe(2);
    expect(attempts.toSorted()).toEqual(['own', 'rejected']);
  });

  it('pauses and resumes at its place', async () => {
    const seen: string[] = [];
    const storage = (await stores.fresh())();
    const service = await started([reactionOf({ name: 'Pausing' }, ({ note }) => void seen.push(note))], storage);
    await append(service, 'before');
    await service.idle();
    await storage.reactions!.setPaused('Pausing', true);
    await append(service, 'paused');
    await expect.poll(async () => (await storage.reactions!.readStandings(5))[0]!.behind).toBeGreaterThan(0);
    await service.idle();
    expect(seen).toEqual(['before']);
    await storage.reactions!.setPaused('Pausing', false);
    await expect.poll(() => seen, { timeout: 5_000 }).toEqual(['before', 'paused']);
  });

  it('starts where it declares, and requires the declaration if the log has events', async () => {
    const open = await stores.fresh();
    const seen: Record<string, string[]> = { all: [], now: [] };
    const first = await started([], open());
    await append(first, 'old');
    await first.stop();
    const undeclared = shopWith([reactionOf({ name: 'Undeclared' }, () => {})], open());
    undeclared.start();
    await expect(undeclared.ready()).rejects.toThrow(
      expect.objectContaining({ code: 'SVC_REACTION_START_UNDECLARED' }) as Error,
    );
    await undeclared.stop();
    const all = reactionOf({ name: 'All', from: 'beginning' }, ({ note }) => void seen['all']!.push(note));
    const now = reactionOf({ name: 'Now', from: 'now' }, ({ note }) => void seen['now']!.push(note));
    const service = await started([all, now], open());
    await append(service, 'new');
    await service.idle();
    expect(seen).toEqual({ all: ['old', 'new'], now: ['new'] });
    await service.stop();

    const without = await started([all], open());
    await append(without, 'between');
    await without.idle();
    await without.stop();
    const again = await started([all, now], open());
    await again.idle();
    expect(seen).toEqual({ all: ['old', 'new', 'between'], now: ['new', 'between'] });
  });

  it('commits the commands that it invokes together with its own changes', async () => {
    const storage = (await stores.fresh())();
    const target = newId();
    const invoking = reactionOf({ name: 'Invoking', retry: { attempts: 1 } }, async ({ note }, context) => {
      if (note === 'nested') return;
      await context.invoke(Object.assign(new PlaceOrder(), { orderId: target, note: 'nested' }));
      if (note === 'bad') throw new Error('after the command');
    });
    const service = await started([invoking], storage);
    await append(service, 'bad');
    await append(service, 'good');
    await expect.poll(async () => (await storage.reactions!.readStandings(1))[0]!.parked).toBe(1);
    await service.idle();
    const placed = await eventsIn(service, target);
    expect(placed).toHaveLength(1);
    const audited = (await systemEvents(service, 'svc.CommandAudited')).filter(isOf(target));
    expect(audited).toHaveLength(1);
    expect(audited[0]!.envelope.scope).toMatchObject({ source: 'reaction', svcReactions: 'Invoking' });
  });
});

function isOf(orderId: Uuid): (event: { envelope: { payload: object } }) => boolean {
  return ({ envelope }) => JSON.stringify(envelope.payload).includes(orderId);
}

async function statusOf(service: Service): Promise<string> {
  const { entries } = await service.health.run(({ name }) => name === 'svc_reactions');
  return entries[0]!.status;
}
