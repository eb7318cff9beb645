import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { firstIdOf, MessageRegistry, newId } from '../../messages/index.js';
import { around, EventLog, InMemoryStorage, type PerspectiveStorage, type StreamReach } from '../../storage/index.js';
import { commitChanges } from '../testing/trial-commits.js';
import { appendEvent } from '../testing/trial-events.js';
import { EventNotProcessedError, pollMs, ProcessedEvents, waitBounds } from './processed-events.js';

const current = new AsyncLocalStorage<string>();
const down = new Error('down');

let storage: InMemoryStorage;
let processed: ProcessedEvents;
/** The contexts in which the progress was read. */
let reads: (string | undefined)[];
/** Runs before each read of the progress. */
let beforeRead: () => unknown;
let foreign: string[][];
/** Ends the waits that a test leaves. */
let ends: AbortController;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  storage = new InMemoryStorage();
  [reads, beforeRead, foreign, ends] = [[], () => {}, [], new AbortController()];
  const perspectives = around<PerspectiveStorage>(storage.perspectives, {
    async readProgress(tables) {
      reads.push(current.getStore());
      await beforeRead();
      return await storage.perspectives.readProgress(tables);
    },
  });
  processed = new ProcessedEvents('Orders', new EventLog(storage, new MessageRegistry([])), perspectives);
});
afterEach(async () => {
  beforeRead = () => {};
  ends.abort();
  processed.stop();
  await after(pollMs);
  const timers = vi.getTimerCount();
  vi.useRealTimers();
  if (timers > 0) throw new Error(`${timers} timers are left.`);
});

const reachOf = (tenant: string | null): StreamReach => ({
  tenant,
  authorizeSystemRead: () => Promise.resolve(tenant),
  recordForeign: (...given) => Promise.resolve(void foreign.push(given)),
});

/** Appends an event; the first one has the sequence 0. */
const append = (tenantId = 'acme', id: Uuid = newId()): Uuid =>
  appendEvent(storage, { id, type: 'test.Happened', scope: { tenantId } }).id;

/** Another host processes the events up to a sequence. */
async function processUpTo(to: number): Promise<void> {
  await commitChanges(storage.perspectives, 'Orders', { to });
}

interface Waiting {
  state: 'waits' | 'done' | 'failed';
  error?: unknown;
}

/** Waits for an event, until the end of the test at most. */
function wait(eventId: Uuid, { timeoutMs, signal = ends.signal }: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  const waiting: Waiting = { state: 'waits' };
  const wanted = { eventId, signal, ...(timeoutMs !== undefined && { timeoutMs }) };
  processed.wait(wanted, reachOf(null)).then(
    () => void (waiting.state = 'done'),
    (error: unknown) => void Object.assign(waiting, { state: 'failed', error }),
  );
  return waiting;
}

async function after(ms: number): Promise<void> {
  for (const step of [0, ms, 0]) {
    await vi.advanceTimersByTimeAsync(step);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('waiting for an event', () => {
  it('ends at once if it is processed', async () => {
    const [first, second] = [append(), append()];
    await processUpTo(0);
    const waits = [first, second].map((id) => wait(id));
    await after(0);
    expect(waits.map(({ state }) => state)).toEqual(['done', 'waits']);
  });

  it('ends when this host has processed it', async () => {
    const waits = [append(), append(), append()].map((id) => wait(id));
    await after(0);
    processed.tell({ sequence: 1 });
    await after(0);
    expect(waits.map(({ state }) => state)).toEqual(['done', 'done', 'waits']);
  });

  it('ends when another host has processed it, whose progress is read every 100 ms for all callers', async () => {
    const waits = [append(), append()].map((id) => wait(id));
    await after(0);
    reads = [];
    await after(pollMs - 1);
    expect(reads).toHaveLength(0);
    await processUpTo(0);
    await after(1);
    expect([reads.length, waits.map(({ state }) => state)]).toEqual([1, ['done', 'waits']]);
    await processUpTo(1);
    await after(pollMs);
    expect([reads.length, waits[1]!.state]).toEqual([2, 'done']);
    await after(pollMs);
    expect(reads).toHaveLength(2);
  });

  it('reads the progress for all waiting callers outside of the context of each', async () => {
    const eventId = append();
    const waiting = current.run('caller', () => wait(eventId));
    await after(0);
    await processUpTo(0);
    await after(pollMs);
    expect(waiting.state).toBe('done');
    // The first time for the caller alone, which then waits.
    expect(reads).toEqual(['caller', undefined, undefined]);
  });

  it('continues while the database is unavailable', async () => {
    const waiting = wait(append());
    await after(0);
    beforeRead = () => Promise.reject(down);
    await after(pollMs);
    await processUpTo(0);
    beforeRead = () => {};
    expect(waiting.state).toBe('waits');
    await after(pollMs);
    expect(waiting.state).toBe('done');
  });

  it('makes new ids greater than that of the event', async () => {
    const future = append('acme', firstIdOf(Date.now() + 3_600_000));
    expect(newId() < future).toBe(true);
    wait(future);
    await after(0);
    expect(newId() > future).toBe(true);
  });

  it('fails if there is no such event', async () => {
    const waiting = wait(newId());
    await after(0);
    expect(waiting.error).toMatchObject({
      code: 'SVC_INVALID_MESSAGE',
      issues: [{ pointer: '/afterEvent', detail: 'must be the id of a stored event' }],
    });
  });

  it('fails as if there were no such event if it belongs to another tenant, and records that', async () => {
    const eventId = append('acme');
    await processUpTo(0);
    await processed.wait({ eventId }, reachOf('acme'));
    expect(foreign).toEqual([]);
    await expect(processed.wait({ eventId }, reachOf('other'))).rejects.toMatchObject({
      issues: [{ pointer: '/afterEvent' }],
    });
    expect(foreign).toEqual([['event', eventId]]);
  });
});

describe('the time to wait for an event', () => {
  it.each([
    [undefined, 5_000],
    [20, 20],
    [30_000, 30_000],
    [30_001, 30_000],
  ])('of %d ms ends after %d ms', async (timeoutMs, ms) => {
    const waiting = wait(append(), timeoutMs === undefined ? {} : { timeoutMs });
    await after(0);
    await after(ms - 1);
    expect(waiting.state).toBe('waits');
    await after(1);
    expect(waiting.error).toBeInstanceOf(EventNotProcessedError);
    expect(waiting.error).toMatchObject({
      code: 'SVC_EVENT_NOT_TAKEN',
      message: expect.stringContaining(`Orders did not process the event within ${ms / 1_000} s`) as string,
    });
  });

  it('can be zero or negative: then only its progress is read', async () => {
    const waits = [0, -1].map((timeoutMs) => wait(append(), { timeoutMs }));
    await after(0);
    for (const { error } of waits) expect((error as Error).message).toContain('within 0 s');
    expect(waitBounds).toEqual({ usualSeconds: 5, mostSeconds: 30 });
  });

  it('ends when the caller cancels', async () => {
    const [caller, other] = [new AbortController(), new AbortController()];
    const waits = [caller, other].map(({ signal }) => wait(append(), { signal }));
    await after(0);
    caller.abort(down);
    await after(0);
    expect(waits).toEqual([{ state: 'failed', error: down }, { state: 'waits' }]);
    other.abort();
  });

  it('does not begin if the caller has cancelled before', async () => {
    await processUpTo(0);
    const waiting = wait(newId(), { signal: AbortSignal.abort(down) });
    await after(0);
    expect(waiting.error).toBe(down);
    expect(reads).toEqual([]);
  });

  it('ends at once if the caller cancels while the progress is read', async () => {
    const caller = new AbortController();
    beforeRead = () => caller.abort(down);
    const waiting = wait(append(), { signal: caller.signal });
    await after(0);
    expect(waiting.error).toBe(down);
  });

  it('ends when the service stops, and does not begin afterwards', async () => {
    const eventId = append();
    const waiting = wait(eventId);
    await after(0);
    processed.stop();
    await after(0);
    const late = wait(eventId);
    await after(0);
    for (const { error } of [waiting, late]) {
      expect(error).toMatchObject({ code: 'SVC_EVENT_NOT_TAKEN' });
      expect((error as Error).message).toContain('before the service stopped');
    }
  });
});

describe('progress of a segment', () => {
  it('makes the progress of all segments be read at once, and every 100 ms from then on', async () => {
    const waiting = wait(append());
    await after(0);
    await after(pollMs / 2);
    reads = [];
    processed.lookNow();
    processed.lookNow();
    await after(0);
    expect(reads).toHaveLength(1);
    await after(pollMs - 1);
    expect(reads).toHaveLength(1);
    await processUpTo(0);
    await after(1);
    expect([reads.length, waiting.state]).toEqual([2, 'done']);
  });

  it('makes it be read again at once if it is being read', async () => {
    const waiting = wait(append());
    await after(0);
    let answer = (): void => {};
    beforeRead = () => new Promise<void>((resolve) => (answer = resolve));
    reads = [];
    await after(pollMs);
    processed.lookNow();
    processed.lookNow();
    await after(0);
    expect(reads).toHaveLength(1);
    beforeRead = () => processUpTo(0);
    answer();
    await after(0);
    expect([reads.length, waiting.state]).toEqual([2, 'done']);
  });

  it('makes it be read once more only', async () => {
    wait(append());
    await after(0);
    let answer = (): void => {};
    beforeRead = () => new Promise<void>((resolve) => (answer = resolve));
    await after(pollMs);
    processed.lookNow();
    beforeRead = () => {};
    answer();
    await after(0);
    reads = [];
    await after(pollMs - 1);
    expect(reads).toEqual([]);
    processed.lookNow();
    await after(0);
    expect(reads).toHaveLength(1);
  });

  it('is ignored while no caller waits', async () => {
    processed.lookNow();
    await after(pollMs);
    expect(reads).toEqual([]);
  });
});
