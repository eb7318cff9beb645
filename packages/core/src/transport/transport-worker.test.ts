import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newId } from '../messages/index.js';
import { MessageSettledError, type StoredOutgoing } from '../storage/index.js';
import { ClosedDestinations } from './closed-destinations.js';
import { outboxPasses, pageSize } from './transport-worker.js';
import type { TransportMessage } from './transport.js';

function transportMessage(fields: Partial<TransportMessage> = {}): TransportMessage {
  const id = newId();
  const names = { type: 'test.Happened', destination: 'test', origin: 'sender' };
  const rest = { body: '{}', timestamp: Date.now(), causationId: null, scope: null, metadata: {} };
  return { id, streamId: newId(), correlationId: id, ...names, ...rest, ...fields };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const minute = 60_000;

/** An outbox with messages, of which the first is for a closed destination if `closes`. */
function outboxWith(count: number, closes: boolean) {
  const closed = new ClosedDestinations(() => {});
  let outbox = Array.from({ length: count }, () => ({ id: newId() }) as StoredOutgoing);
  const [first] = outbox;
  const message = transportMessage({ destination: 'full' });
  /** The positions after which pages were read; null: from the start. */
  const reads: (number | null)[] = [];
  const all = outbox;
  const log = {
    readOutgoing: (_lane: string, limit: number, after?: string) => {
      reads.push(after === undefined ? null : all.findIndex(({ id }) => id === after));
      return Promise.resolve(outbox.filter(({ id }) => after === undefined || id > after).slice(0, limit));
    },
  };
  /** Thrown by the next calls. */
  const failures: Error[] = [];
  const publish = async (page: readonly StoredOutgoing[]): Promise<Set<StoredOutgoing>> => {
    await Promise.resolve();
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    const left = new Set(page.filter((one) => closes && one === first));
    if (left.size > 0 && !closed.holdsBack(message)) closed.closed(message, new Error('full'));
    outbox = outbox.filter((one) => left.has(one) || !page.includes(one));
    return left;
  };
  const add = (added: number): void => {
    for (let i = 0; i < added; i++) outbox.push({ id: newId() } as StoredOutgoing);
  };
  return { step: outboxPasses(log, publish, closed), reads, closed, add, failures };
}

it('publishes page by page, and rests when the outbox is empty', async () => {
  const { step, reads } = outboxWith(pageSize + 1, false);
  expect([await step(), await step(), await step()]).toEqual([true, true, false]);
  expect(reads).toEqual([null, null, null]);
});

it('skips a message that waits in all later pages, and rests until its destination is tried again', async () => {
  const { step, reads, closed } = outboxWith(pageSize + 500, true);
  expect([await step(), await step()]).toEqual([true, true]);
  expect(await step()).toBe(closed.retryInMs);
  expect(reads).toEqual([null, 0, 0]);
  vi.advanceTimersByTime(minute);
  expect(await step()).toBe(true);
  expect(reads.at(-1), 'a new pass').toBeNull();
});

it('retries closed destinations five minutes after the start of a pass that does not end', async () => {
  const { step, reads, add } = outboxWith(pageSize, true);
  const next = async (afterMs: number): Promise<number | null> => {
    add(2 * pageSize);
    vi.advanceTimersByTime(afterMs);
    expect(await step()).toBe(true);
    return reads.at(-1)!;
  };
  expect(await next(0)).toBeNull();
  expect(await next(5 * minute)).toBe(0);
  expect(await next(1)).toBeNull();
  // The new pass takes its own five minutes.
  expect(await next(5 * minute)).toBe(0);
  expect(await next(1)).toBeNull();
});

it('continues if another host has published the messages, and fails otherwise', async () => {
  const { step, failures } = outboxWith(1, false);
  failures.push(new MessageSettledError(newId()), new Error('No.'));
  expect(await step()).toBe(true);
  await expect(step()).rejects.toThrow('No.');
  expect([await step(), await step()]).toEqual([true, false]);
});
