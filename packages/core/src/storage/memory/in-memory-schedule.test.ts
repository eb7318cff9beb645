import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import type { DueTime, ScheduledRecord } from '../scheduled-record.js';
import { InMemorySchedule } from './in-memory-schedule.js';

const now = Date.parse('2026-01-31T12:00:00Z');
const none = { settled: null, cancelled: [], added: [] };

interface Fields {
  readonly id?: Uuid;
  readonly type?: string;
  readonly tenantId?: string;
  readonly key?: string | null;
}

function scheduled(
  due: DueTime,
  { id = newId(), type = 'test.Remind', tenantId, key = null }: Fields = {},
): ScheduledRecord {
  const scope = tenantId === undefined ? null : { tenantId };
  const message = { id, type, body: '{}', timestamp: now, correlationId: id, causationId: null, scope, metadata: {} };
  return { message, due, key };
}

const at = (ms: number, fields?: Fields): ScheduledRecord => scheduled({ at: now + ms }, fields);

function scheduleOf(...added: readonly ScheduledRecord[]): InMemorySchedule {
  const schedule = new InMemorySchedule();
  schedule.commit({ ...none, added });
  return schedule;
}

const idOf = ({ message }: { readonly message: { readonly id: Uuid } }): Uuid => message.id;
const types = ['test.Remind'];
const [host, other] = [newId(), newId()];
const claimed = async (schedule: InMemorySchedule, limit = 10, holder = host): Promise<Uuid[]> =>
  (await schedule.claim(holder, types, limit)).commands.map(idOf);

beforeEach(() => void vi.useFakeTimers({ now, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('a scheduled command', () => {
  it('is due at its time, or some time after the commit', async () => {
    const [absolute, relative] = [at(5, { tenantId: 'acme', key: 'k' }), scheduled({ afterMs: 7 })];
    const schedule = scheduleOf(absolute, relative);
    expect(await schedule.find(idOf(absolute))).toEqual({
      message: absolute.message,
      tenant: 'acme',
      key: 'k',
      dueAt: now + 5,
      attempts: 0,
      firstFailedAt: null,
      isRunning: false,
    });
    expect(await schedule.find(idOf(relative))).toMatchObject({ tenant: '', key: null, dueAt: now + 7 });
    expect(await schedule.find(newId())).toBeNull();
  });

  it('is settled once', async () => {
    const one = at(0);
    const schedule = scheduleOf(one);
    schedule.require({ ...none, settled: idOf(one) });
    schedule.commit({ ...none, settled: idOf(one) });
    expect(await schedule.find(idOf(one))).toBeNull();
    expect(() => schedule.require({ ...none, settled: idOf(one) })).toThrow(
      expect.objectContaining({ code: 'SVC_MESSAGE_SETTLED' }),
    );
    schedule.require(none);
  });

  it('is removed with its key, which another one can have then', async () => {
    const [first, second, foreign] = [at(1, { key: 'k' }), at(2, { key: 'k' }), at(3, { key: 'k', tenantId: 'acme' })];
    const schedule = scheduleOf(first, foreign);
    schedule.commit({
      ...none,
      cancelled: [
        { tenant: '', key: 'k' },
        { tenant: '', key: 'unknown' },
      ],
      added: [second],
    });
    expect((await schedule.read(10)).map(idOf)).toEqual([second, foreign].map(idOf));
    expect(await schedule.cancel(idOf(second))).toBe(true);
    expect(await schedule.cancel(idOf(second))).toBe(false);
    // The key is free: nothing is removed by it.
    schedule.commit({ ...none, cancelled: [{ tenant: '', key: 'k' }], added: [] });
    expect((await schedule.read(10)).map(idOf)).toEqual([idOf(foreign)]);
  });

  it('is listed by its due time, then by its id, after another one', async () => {
    const [a, b, c] = [newId(), newId(), newId()];
    const schedule = scheduleOf(at(2, { id: c }), at(2, { id: b }), at(9, { id: a }));
    const ids = async (limit: number, after?: Uuid): Promise<Uuid[]> => (await schedule.read(limit, after)).map(idOf);
    expect(await ids(10)).toEqual([b, c, a]);
    expect(await ids(2)).toEqual([b, c]);
    expect(await ids(2, b)).toEqual([c, a]);
    expect(await ids(1, b)).toEqual([c]);
    expect(await ids(2, a)).toEqual([]);
    expect(await ids(2, newId())).toEqual([]);
  });

  it('is found by the range of its key, in its tenant', async () => {
    const keys = ['a', 'b', 'c', null];
    const own = keys.map((key) => at(0, { key, tenantId: 'acme' }));
    const schedule = scheduleOf(...own, at(0, { key: 'b' }));
    const found = await schedule.readKeys('acme', 'a', 'c');
    expect(found.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(found[0]).toMatchObject({ tenant: 'acme', isRunning: false });
    expect((await schedule.readKeys('acme', 'aa', 'd')).map(({ key }) => key)).toEqual(['b', 'c']);
  });
});

describe('a claim', () => {
  it('takes the commands that are due, the longest due first, up to a limit', async () => {
    const [late, due, next] = [at(-10), at(0), at(1)];
    const schedule = scheduleOf(next, due, late);
    const { commands, ...rest } = await schedule.claim(host, types, 2);
    expect(commands.map(idOf)).toEqual([late, due].map(idOf));
    expect(commands.map(({ isRunning }) => isRunning)).toEqual([true, true]);
    expect(rest).toEqual({ now, nextInMs: 1 });
    expect(await claimed(schedule)).toEqual([]);
  });

  it('tells that more is due now, or when the next command is, or that there is none', async () => {
    const schedule = scheduleOf(at(-10), at(-5), at(20));
    expect((await schedule.claim(host, types, 1)).nextInMs).toBe(0);
    expect((await schedule.claim(host, types, 1)).nextInMs).toBe(20);
    expect((await schedule.claim(host, ['test.Other'], 1)).nextInMs).toBeNull();
    expect((await scheduleOf().claim(host, types, 1)).nextInMs).toBeNull();
  });

  it('takes commands of some types only', async () => {
    const [foreign, own] = [at(-2, { type: 'test.Other' }), at(-1)];
    const schedule = scheduleOf(foreign, own);
    expect(await schedule.claim(host, types, 1)).toMatchObject({
      commands: [{ message: own.message }],
      nextInMs: 5_000,
    });
    expect((await schedule.claim(host, ['test.Other'], 10)).commands.map(idOf)).toEqual([idOf(foreign)]);
  });

  it('takes commands of the same time in the order of their ids, and leaves the others in place', async () => {
    const ids = [newId(), newId(), newId(), newId(), newId()];
    const schedule = scheduleOf(...[3, 0, 4, 2, 1].map((i) => at(0, { id: ids[i]! })));
    await schedule.cancel(ids[2]!);
    expect(await claimed(schedule, 2)).toEqual([ids[0], ids[1]]);
    expect(await claimed(schedule)).toEqual([ids[3], ids[4]]);
  });

  it('ends after five seconds unless it is renewed by its holder', async () => {
    const one = at(0);
    const schedule = scheduleOf(one);
    expect(schedule.leaseMs).toBe(5_000);
    await claimed(schedule);
    vi.setSystemTime(now + 4_999);
    expect(await claimed(schedule, 10, other)).toEqual([]);
    await schedule.renew(other, [idOf(one)]);
    await schedule.renew(host, [idOf(one), newId()]);
    vi.setSystemTime(now + 9_998);
    expect(await schedule.find(idOf(one))).toMatchObject({ isRunning: true });
    expect(await claimed(schedule, 10, other)).toEqual([]);
    vi.setSystemTime(now + 9_999);
    expect(await schedule.find(idOf(one))).toMatchObject({ isRunning: false });
    expect(await claimed(schedule, 10, other)).toEqual([idOf(one)]);
  });

  it('of another holder is not renewed', async () => {
    const one = at(0);
    const schedule = scheduleOf(one);
    await claimed(schedule);
    vi.setSystemTime(now + 1_000);
    await schedule.renew(other, [idOf(one)]);
    vi.setSystemTime(now + 5_000);
    expect(await claimed(schedule, 10, other)).toEqual([idOf(one)]);
  });

  it('ends with a failed attempt, which is counted, and the command is retried after a delay', async () => {
    const one = at(0);
    const schedule = scheduleOf(one);
    await claimed(schedule);
    await schedule.retryLater(other, idOf(one), 1);
    expect(await schedule.find(idOf(one))).toMatchObject({ attempts: 0, isRunning: true });
    vi.setSystemTime(now + 10);
    await schedule.retryLater(host, idOf(one), 100);
    const failed = { attempts: 1, firstFailedAt: now + 10, dueAt: now, isRunning: false };
    expect(await schedule.find(idOf(one))).toMatchObject(failed);
    vi.setSystemTime(now + 109);
    expect(await claimed(schedule)).toEqual([]);
    vi.setSystemTime(now + 110);
    expect(await claimed(schedule)).toEqual([idOf(one)]);
    await schedule.retryLater(host, idOf(one), 100);
    expect(await schedule.find(idOf(one))).toMatchObject({ attempts: 2, firstFailedAt: now + 10 });
  });
});

describe('a command that an operator makes due', () => {
  it('can be claimed at once, and is due now unless it was before', async () => {
    const [future, past] = [at(1_000), at(-1_000)];
    const schedule = scheduleOf(future, past);
    let heard = 0;
    schedule.onScheduled(() => heard++);
    expect(await schedule.makeDue(idOf(future))).toBe(true);
    expect(await schedule.find(idOf(future))).toMatchObject({ dueAt: now });
    expect(heard).toBe(1);
    expect(await claimed(schedule, 1)).toEqual([idOf(past)]);
    await schedule.retryLater(host, idOf(past), 60_000);
    expect(await schedule.makeDue(idOf(past))).toBe(true);
    expect(await schedule.find(idOf(past))).toMatchObject({ dueAt: now - 1_000, attempts: 1 });
    expect(await claimed(schedule)).toEqual([future, past].map(idOf).toSorted());
    expect(heard).toBe(2);
  });

  it('stays with the host that runs it', async () => {
    const one = at(0);
    const schedule = scheduleOf(one);
    await claimed(schedule);
    let heard = 0;
    schedule.onScheduled(() => heard++);
    expect(await schedule.makeDue(idOf(one))).toBe(true);
    expect(await schedule.find(idOf(one))).toMatchObject({ isRunning: true });
    expect(heard).toBe(0);
    // After the lease, no host runs it.
    vi.setSystemTime(now + 5_000);
    await schedule.makeDue(idOf(one));
    expect(heard).toBe(1);
  });

  it('does not exist if it was removed', async () => {
    const schedule = scheduleOf();
    schedule.onScheduled(() => expect.unreachable());
    expect(await schedule.makeDue(newId())).toBe(false);
  });
});

it('the standing counts commands that are due for longer than the grace, and the lateness of the first', async () => {
  const schedule = scheduleOf(at(-100), at(-50), at(-51), at(10));
  expect(await schedule.readStanding(50, 10)).toEqual({ overdue: 2, lateMs: 100 });
  expect(await schedule.readStanding(50, 1)).toEqual({ overdue: 1, lateMs: 100 });
  expect(await schedule.readStanding(100, 10)).toEqual({ overdue: 0, lateMs: 0 });
});
