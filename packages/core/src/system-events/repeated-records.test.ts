import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RepeatedRecords } from './repeated-records.js';

const minute = 60_000;
let records: RepeatedRecords;
let emitted: [what: string, count: number][];
let failures: unknown[];

beforeEach(() => {
  vi.useFakeTimers();
  failures = [];
  emitted = [];
  records = new RepeatedRecords((error) => failures.push(error));
});
afterEach(() => vi.useRealTimers());

function record(key: string, group = 'ann'): Promise<void> {
  const emit = (what: string) => (count: number) => Promise.resolve(void emitted.push([what, count]));
  return records.record({ group, key, emit: emit(key), emitOthers: emit('others') });
}

describe('a record', () => {
  it('is emitted at once, and its repetitions within a minute as one record with a count', async () => {
    for (let i = 0; i < 200; i++) await record('orders');
    expect(emitted).toEqual([['orders', 1]]);
    await vi.advanceTimersByTimeAsync(minute);
    expect(emitted).toEqual([
      ['orders', 1],
      ['orders', 199],
    ]);
  });

  it('is counted while it repeats, and is emitted at once again after a minute without repetitions', async () => {
    await record('orders');
    await record('orders');
    await vi.advanceTimersByTimeAsync(minute);
    await record('orders');
    expect(emitted).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(minute);
    expect(emitted.at(-1)).toEqual(['orders', 1]);
    await vi.advanceTimersByTimeAsync(minute);
    await record('orders');
    expect(emitted).toHaveLength(4);
  });

  it('of a caller that causes ever new ones shares one record after twenty', async () => {
    for (let i = 0; i < 1_000; i++) await record(`order-${i}`);
    expect(emitted).toHaveLength(21);
    expect(emitted.at(-1)).toEqual(['others', 1]);
    await vi.advanceTimersByTimeAsync(minute);
    expect(emitted).toHaveLength(22);
    expect(emitted.at(-1)).toEqual(['others', 979]);
  });

  it('that was emitted of its own is also counted of its own, whatever else the caller causes', async () => {
    for (let i = 0; i < 25; i++) await record(`order-${i}`);
    emitted.length = 0;
    for (let i = 0; i < 3; i++) await record('order-0');
    await vi.advanceTimersByTimeAsync(minute);
    expect(emitted).toEqual([
      ['order-0', 3],
      ['others', 4],
    ]);
  });

  it('is emitted of its own again once others of the caller have not repeated for a minute', async () => {
    for (let i = 0; i < 20; i++) await record(`order-${i}`);
    for (let i = 1; i < 20; i++) await record(`order-${i}`);
    await vi.advanceTimersByTimeAsync(minute);
    emitted.length = 0;
    await record('first');
    await record('second');
    expect(emitted, 'one of twenty has ended').toEqual([
      ['first', 1],
      ['others', 1],
    ]);
    await vi.advanceTimersByTimeAsync(minute);
    emitted.length = 0;
    for (let i = 0; i < 21; i++) await record(`later-${i}`);
    expect(emitted.slice(19), 'all have ended').toEqual([
      ['later-19', 1],
      ['others', 1],
    ]);
  });

  it('that cannot be emitted after the host has stopped rejects with the reason', async () => {
    await records.close();
    const emit = (): Promise<void> => Promise.reject(new Error('away'));
    await expect(records.record({ group: 'ann', key: 'orders', emit, emitOthers: emit })).rejects.toThrow('away');
  });

  it('of one caller does not hide that of another', async () => {
    for (let i = 0; i < 50; i++) await record(`order-${i}`, 'mallory');
    await record('order-1', 'ann');
    expect(emitted.at(-1)).toEqual(['order-1', 1]);
  });

  it('that cannot be emitted is retried with the next occurrence', async () => {
    const fails = records.record({
      group: 'ann',
      key: 'orders',
      emit: () => Promise.reject(new Error('away')),
      emitOthers: () => Promise.resolve(),
    });
    await expect(fails).rejects.toThrow('away');
    await record('orders');
    expect(emitted).toEqual([['orders', 1]]);
  });

  it('is not counted, and rejects, while the first record of its key cannot be emitted', async () => {
    const emit = (): Promise<void> => Promise.reject(new Error('away'));
    const failing = { group: 'ann', key: 'orders', emit, emitOthers: emit };
    const both = await Promise.allSettled([records.record(failing), records.record(failing)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await vi.advanceTimersByTimeAsync(minute);
    expect(failures).toEqual([]);
  });

  it('whose count cannot be emitted includes it in the count of the next minute', async () => {
    let isAway = false;
    const emit = (count: number): Promise<void> =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve(void emitted.push(['orders', count]));
    const repeat = (): Promise<void> => records.record({ group: 'ann', key: 'orders', emit, emitOthers: emit });
    await repeat();
    await repeat();
    isAway = true;
    await vi.advanceTimersByTimeAsync(minute);
    expect(failures).toHaveLength(1);
    isAway = false;
    await repeat();
    await vi.advanceTimersByTimeAsync(minute);
    expect(emitted).toEqual([
      ['orders', 1],
      ['orders', 2],
    ]);
  });

  it('is emitted with its count when the host stops', async () => {
    for (let i = 0; i < 3; i++) await record('orders');
    await records.close();
    expect(emitted.at(-1)).toEqual(['orders', 2]);
    await record('orders');
    expect(emitted).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('evicts the oldest after ten thousand callers, and emits that with its count', async () => {
    for (let i = 0; i < 10_000; i++) await record('orders', `caller-${i}`);
    await record('orders', 'caller-0');
    emitted.length = 0;
    await record('orders', 'another');
    expect(emitted).toContainEqual(['orders', 1]);
    await record('orders', 'caller-0');
    expect(emitted, 'that of the other caller, the count, and the first one of a new minute').toHaveLength(3);
    expect(failures).toEqual([]);
  });
});
