import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeferredSignal, type Cancellation } from './cancellation.js';
import { CommandTurn, StreamQueue } from './stream-queue.js';

const never = new DeferredSignal();

/** A command that notes when it holds a stream. */
class Trial {
  readonly turn: CommandTurn;
  readonly entered: string[] = [];
  readonly #queue: StreamQueue;

  constructor(queue: StreamQueue, outer: Trial | null = null) {
    this.#queue = queue;
    this.turn = new CommandTurn(outer?.turn ?? null);
  }

  async enter(stream: string, signal: Cancellation = never): Promise<void> {
    await this.#queue.enter(this.turn, stream, signal);
    this.entered.push(stream);
  }

  end(): void {
    this.turn.end();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const trials = (queue: StreamQueue): [Trial, Trial, Trial] => [new Trial(queue), new Trial(queue), new Trial(queue)];

describe('the queue of a stream', () => {
  it('lets one command after the other in, in the order of their arrival', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false }));
    for (const one of [a, b, c]) void one.enter('s');
    await settled();
    expect([a, b, c].map(({ entered }) => entered.length)).toEqual([1, 0, 0]);
    a.end();
    await settled();
    expect([b, c].map(({ entered }) => entered.length)).toEqual([1, 0]);
    b.end();
    await settled();
    expect(c.entered).toEqual(['s']);
  });

  it('lets commands of other streams in', async () => {
    const [a, b] = trials(new StreamQueue({ isShared: false }));
    await a.enter('s');
    await expect(b.enter('t')).resolves.toBeUndefined();
  });

  it('lets a command in again, also while it waits', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false }));
    await a.enter('s');
    await a.enter('s');
    for (const one of [b, c, b]) void one.enter('s');
    a.end();
    await settled();
    expect([b, c].map(({ entered }) => entered.length)).toEqual([2, 0]);
  });

  it('rejects a command if too many wait, with an error that callers see as unavailable', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false, mostWaiting: 1 }));
    await a.enter('s');
    void b.enter('s');
    await expect(c.enter('s')).rejects.toMatchObject({ code: 'SVC_STREAM_BUSY' });
    a.end();
    b.end();
    await c.enter('s');
  });

  it('stops waiting when the command is cancelled', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false }));
    const controller = new AbortController();
    await a.enter('s');
    const waiting = b.enter('s', controller.signal);
    void c.enter('s');
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    a.end();
    await settled();
    expect(c.entered).toEqual(['s']);
    await expect(b.enter('s', controller.signal)).rejects.toThrow('gone');
  });

  it('skips a command that has ended while it waited, and lets nothing of it in afterwards', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false }));
    await a.enter('s');
    void b.enter('s');
    void c.enter('s');
    b.end();
    a.end();
    await settled();
    expect(c.entered).toEqual(['s']);
    await b.enter('t');
    await c.enter('t');
  });
});

describe('commands that would wait for each other', () => {
  it('do not wait if each holds what the other one wants', async () => {
    const [a, b] = trials(new StreamQueue({ isShared: false }));
    await a.enter('s');
    await b.enter('t');
    void a.enter('t');
    await b.enter('s');
    b.end();
    await settled();
    expect(a.entered).toEqual(['s', 't']);
  });

  it('do not wait in a circle of three', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false }));
    await a.enter('s');
    await b.enter('t');
    await c.enter('u');
    void a.enter('t');
    void b.enter('u');
    await expect(c.enter('s')).resolves.toBeUndefined();
  });

  it('do not wait for one that waits ahead of them', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false }));
    await a.enter('s');
    await c.enter('t');
    void b.enter('s');
    void b.enter('t');
    await c.enter('s');
    a.end();
    c.end();
    await settled();
    expect(b.entered.toSorted()).toEqual(['s', 't']);
  });

  it('do not wait for the command inside which they run, or for one that waits for it', async () => {
    const queue = new StreamQueue({ isShared: false });
    const [a, b] = trials(queue);
    const inner = new Trial(queue, a);
    await a.enter('s');
    await inner.enter('s');
    await b.enter('t');
    void b.enter('s');
    await inner.enter('t');
    inner.end();
    a.end();
    await settled();
    expect(b.entered).toEqual(['t', 's']);
  });
});

describe('a stream that other hosts may append to', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  /**
   * Runs commands of this host, each of 10 ms, and returns how long each waited after the previous one. `foreign` says whether a command of another
   * host is committed 4 ms after the n-th one.
   */
  async function pausesOf(commands: number, foreign: (n: number) => boolean, commits = true): Promise<number[]> {
    const queue = new StreamQueue({ isShared: true });
    const all = Array.from({ length: commands }, () => new Trial(queue));
    for (const one of all) void one.enter('s');
    const pauses: number[] = [];
    let position = 0;
    for (const [i, one] of all.entries()) {
      const started = performance.now();
      await settled();
      while (one.entered.length === 0) await vi.advanceTimersByTimeAsync(1);
      if (i > 0) pauses.push(performance.now() - started);
      queue.loaded('s', position);
      vi.advanceTimersByTime(10);
      if (commits) queue.committed('s', ++position, () => Promise.resolve(position));
      one.end();
      if (foreign(i)) setTimeout(() => void position++, 4);
    }
    return pauses;
  }

  it('is released when the other host has appended to it', async () => {
    const [first, ...others] = await pausesOf(10, () => true);
    expect(first, 'not known yet').toBeGreaterThanOrEqual(10);
    expect(Math.max(...others)).toBeLessThanOrEqual(8);
    expect(Math.min(...others)).toBeGreaterThanOrEqual(4);
  });

  it('is released without a pause once other hosts no longer append to it', async () => {
    const pauses = await pausesOf(12, (n) => n < 3);
    expect(pauses.slice(3, 7).every((ms) => ms >= 50)).toBe(true);
    expect(pauses.slice(7)).toEqual([0, 0, 0, 0]);
    expect((await pausesOf(8, () => false)).slice(4)).toEqual([0, 0, 0]);
  });

  it('is released at once after a command that has appended nothing', async () => {
    expect(await pausesOf(4, () => false, false)).toEqual([0, 0, 0]);
  });

  it('is free after a pause during which the last waiting command was cancelled', async () => {
    const queue = new StreamQueue({ isShared: true });
    const [a, b, c] = trials(queue);
    const controller = new AbortController();
    await a.enter('s');
    const waiting = b.enter('s', controller.signal);
    queue.loaded('s', 0);
    vi.advanceTimersByTime(10);
    queue.committed('s', 1, () => Promise.resolve(1));
    a.end();
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await vi.advanceTimersByTimeAsync(50);
    await expect(c.enter('s')).resolves.toBeUndefined();
  });
});
