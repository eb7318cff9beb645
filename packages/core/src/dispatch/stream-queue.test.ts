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
    this.turn = new CommandTurn(outer?.turn);
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
/** Fails if something takes longer than a turn of the event loop. */
const soon = <T>(promise: Promise<T>): Promise<T> => {
  const late = settled().then((): never => {
    throw new Error('It still waits.');
  });
  return Promise.race([promise, late]);
};
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
    await soon(a.enter('s'));
    await expect(soon(b.enter('t'))).resolves.toBeUndefined();
  });

  it('lets a command in again, also while it waits', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false }));
    await soon(a.enter('s'));
    await soon(a.enter('s'));
    for (const one of [b, c, b]) void one.enter('s');
    await settled();
    expect([a, b, c].map(({ entered }) => entered.length)).toEqual([2, 0, 0]);
    a.end();
    await settled();
    expect([b, c].map(({ entered }) => entered.length)).toEqual([2, 0]);
  });

  it('rejects a command if too many wait, with an error that callers see as unavailable', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false, mostWaiting: 1 }));
    await soon(a.enter('s'));
    void b.enter('s');
    await expect(soon(c.enter('s'))).rejects.toMatchObject({ code: 'SVC_STREAM_BUSY' });
    a.end();
    b.end();
    await soon(c.enter('s'));
  });

  it('lets a thousand commands wait by default', async () => {
    const queue = new StreamQueue({ isShared: false });
    const [first, ...waiting] = Array.from({ length: 1_001 }, () => new Trial(queue));
    await soon(first!.enter('s'));
    for (const one of waiting) void one.enter('s');
    await expect(soon(new Trial(queue).enter('s'))).rejects.toMatchObject({ code: 'SVC_STREAM_BUSY' });
  });

  it('stops waiting when the command is cancelled', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false }));
    const controller = new AbortController();
    await soon(a.enter('s'));
    const waiting = b.enter('s', controller.signal);
    void c.enter('s');
    controller.abort(new Error('gone'));
    await expect(soon(waiting)).rejects.toThrow('gone');
    a.end();
    await settled();
    expect(c.entered).toEqual(['s']);
    await expect(soon(b.enter('s', controller.signal))).rejects.toThrow('gone');
    c.end();
    expect(() => b.end(), 'nothing is left to leave').not.toThrow();
  });

  it.each([
    ['a signal', new AbortController()],
    ['a request', new DeferredSignal()],
  ])('does not change when a command that no longer waits is cancelled by %s', async (_how, controller) => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false }));
    await soon(a.enter('s'));
    void b.enter('s', controller instanceof DeferredSignal ? controller : controller.signal);
    void c.enter('s');
    a.end();
    await settled();
    controller.abort(new Error('gone'));
    b.end();
    await settled();
    expect([b.entered, c.entered]).toEqual([['s'], ['s']]);
  });

  it('skips a command that has ended while it waited, and lets nothing of it in afterwards', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false }));
    await soon(a.enter('s'));
    void b.enter('s');
    void c.enter('s');
    b.end();
    a.end();
    await settled();
    expect(c.entered).toEqual(['s']);
    await soon(b.enter('t'));
    await soon(c.enter('t'));
  });

  it('ignores what a command loads after its end', () => {
    const queue = new StreamQueue({ isShared: true });
    expect(() => {
      queue.loaded('s', 0);
      queue.committed('s', 1, () => Promise.resolve(1));
    }).not.toThrow();
  });
});

describe('the turn of a command', () => {
  it('ends in the reverse order', () => {
    const turn = new CommandTurn();
    const ended: number[] = [];
    for (const i of [1, 2, 3]) turn.onEnd(() => void ended.push(i));
    turn.end();
    expect(ended).toEqual([3, 2, 1]);
  });

  it('knows the commands inside it until they end, and none once it has ended itself', () => {
    const outer = new CommandTurn();
    const inner = new CommandTurn(outer);
    expect([...outer.inner]).toEqual([inner]);
    inner.end();
    outer.end();
    expect(new CommandTurn(outer).hasEnded).toBe(false);
    expect(outer.inner.size).toBe(0);
  });
});

describe('commands that would wait for each other', () => {
  it('do not wait if each holds what the other one wants', async () => {
    const [a, b] = trials(new StreamQueue({ isShared: false }));
    await soon(a.enter('s'));
    await soon(b.enter('t'));
    void a.enter('t');
    await soon(b.enter('s'));
    b.end();
    await settled();
    expect(a.entered).toEqual(['s', 't']);
  });

  it('do not wait in a circle of three', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false }));
    await soon(a.enter('s'));
    await soon(b.enter('t'));
    await soon(c.enter('u'));
    void a.enter('t');
    void b.enter('u');
    await expect(soon(c.enter('s'))).resolves.toBeUndefined();
  });

  it('do not wait for one that waits ahead of them', async () => {
    const [a, b, c] = trials(new StreamQueue({ isShared: false }));
    await soon(a.enter('s'));
    await soon(c.enter('t'));
    void b.enter('s');
    void b.enter('t');
    await soon(c.enter('s'));
    a.end();
    c.end();
    await settled();
    expect(b.entered.toSorted()).toEqual(['s', 't']);
  });

  it('do not wait for the command inside which they run, or for one that waits for it', async () => {
    const queue = new StreamQueue({ isShared: false });
    const [a, b] = trials(queue);
    const inner = new Trial(queue, a);
    await soon(a.enter('s'));
    await soon(inner.enter('s'));
    await soon(b.enter('t'));
    void b.enter('s');
    await soon(inner.enter('t'));
    inner.end();
    a.end();
    await settled();
    expect(b.entered).toEqual(['t', 's']);
  });
});

describe('a command that waits for a stream twice', () => {
  it('still waits for it if one of them is cancelled, so that no other command waits for it in turn', async () => {
    const [a, b] = trials(new StreamQueue({ isShared: false }));
    const controller = new AbortController();
    await soon(a.enter('s'));
    await soon(b.enter('t'));
    const waiting = b.enter('s', controller.signal);
    void b.enter('s');
    controller.abort(new Error('gone'));
    await expect(soon(waiting)).rejects.toThrow('gone');
    await soon(a.enter('t'));
    expect(a.entered).toEqual(['s', 't']);
  });

  it('no longer blocks others once it is cancelled', async () => {
    const [a, b] = trials(new StreamQueue({ isShared: false }));
    const controller = new AbortController();
    await soon(a.enter('s'));
    await soon(b.enter('t'));
    const waiting = b.enter('s', controller.signal);
    controller.abort(new Error('gone'));
    await expect(soon(waiting)).rejects.toThrow('gone');
    void a.enter('t');
    await settled();
    expect(a.entered, 'waits for b, which does not wait for it').toEqual(['s']);
    b.end();
    await settled();
    expect(a.entered).toEqual(['s', 't']);
  });
});

describe('a stream that other hosts may append to', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  /**
   * Runs commands of this host, each of 10 ms, and returns how long each waited after the previous one. `foreign` says whether a command of another
   * host is committed 4 ms after the n-th one.
   */
  async function pausesOf(
    commands: number,
    foreign: (n: number) => boolean,
    commits: (n: number) => boolean = () => true,
  ): Promise<number[]> {
    const queue = new StreamQueue({ isShared: true });
    const all = Array.from({ length: commands }, () => new Trial(queue));
    for (const one of all) void one.enter('s');
    const pauses: number[] = [];
    let position = 3;
    for (const [i, one] of all.entries()) {
      const started = performance.now();
      await settled();
      for (let ms = 0; ms < 100 && one.entered.length === 0; ms++) await vi.advanceTimersByTimeAsync(1);
      if (i > 0) pauses.push(performance.now() - started);
      queue.loaded('s', position);
      vi.advanceTimersByTime(10);
      if (commits(i)) queue.committed('s', ++position, () => Promise.resolve(position));
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
    expect(pauses.slice(3, 7).every((ms) => ms >= 50 && ms < 52)).toBe(true);
    expect(pauses.slice(7)).toEqual([0, 0, 0, 0]);
  });

  it('is released after the time of a command if no other host is known to append to it, and later without a pause', async () => {
    const pauses = await pausesOf(8, () => false);
    for (const ms of pauses.slice(0, 4)) {
      expect(ms).toBeGreaterThanOrEqual(10);
      expect(ms).toBeLessThanOrEqual(21);
    }
    expect(pauses.slice(4)).toEqual([0, 0, 0]);
  });

  it('is released at once after a command that has appended nothing', async () => {
    expect(
      await pausesOf(
        4,
        () => false,
        () => false,
      ),
    ).toEqual([0, 0, 0]);
    const [first, second] = await pausesOf(
      3,
      () => false,
      (n) => n === 0,
    );
    expect([first! >= 10, second]).toEqual([true, 0]);
  });

  it('is released at once if the host does not share its database', async () => {
    const queue = new StreamQueue({ isShared: false });
    const [a, b, c] = trials(queue);
    for (const one of [a, b, c]) void one.enter('s');
    for (const [one, position] of [
      [a, 0],
      [b, 5],
    ] as const) {
      queue.loaded('s', position);
      queue.committed('s', position + 1, () => Promise.resolve(position + 1));
      one.end();
      await settled();
    }
    expect(c.entered).toEqual(['s']);
  });

  it('is released when its position cannot be read', async () => {
    const queue = new StreamQueue({ isShared: true });
    const [a, b, c] = trials(queue);
    for (const one of [a, b, c]) void one.enter('s');
    queue.loaded('s', 0);
    a.end();
    await settled();
    // Another host has appended since.
    queue.loaded('s', 1);
    vi.advanceTimersByTime(10);
    queue.committed('s', 2, () => Promise.reject(new Error('unavailable')));
    b.end();
    await vi.advanceTimersByTimeAsync(1);
    expect(c.entered).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(c.entered).toEqual(['s']);
  });

  it('waits for another host that has appended since a command that appended nothing', async () => {
    const queue = new StreamQueue({ isShared: true });
    const [a, b, c] = trials(queue);
    for (const one of [a, b, c]) void one.enter('s');
    queue.loaded('s', 0);
    a.end();
    await settled();
    queue.loaded('s', 1);
    queue.committed('s', 2, () => Promise.resolve(2));
    b.end();
    await vi.advanceTimersByTimeAsync(40);
    expect(c.entered).toEqual([]);
    await vi.advanceTimersByTimeAsync(15);
    expect(c.entered).toEqual(['s']);
  });

  it('is free at once if no command waits for it', async () => {
    const queue = new StreamQueue({ isShared: true });
    const [a, b] = trials(queue);
    await soon(a.enter('s'));
    queue.loaded('s', 0);
    vi.advanceTimersByTime(10);
    queue.committed('s', 1, () => Promise.resolve(1));
    a.end();
    void b.enter('s');
    await settled();
    expect(b.entered).toEqual(['s']);
  });

  it('is handed over once after a command that waited for it twice', async () => {
    const queue = new StreamQueue({ isShared: true });
    const [a, b, c] = trials(queue);
    const d = new Trial(queue);
    for (const one of [a, b, b, c]) void one.enter('s');
    a.end();
    await settled();
    queue.loaded('s', 0);
    queue.committed('s', 1, () => Promise.resolve(1));
    b.end();
    await vi.advanceTimersByTimeAsync(50);
    void d.enter('s');
    await settled();
    expect([c.entered, d.entered]).toEqual([['s'], []]);
  });

  it('is free after a pause during which the last waiting command was cancelled', async () => {
    const queue = new StreamQueue({ isShared: true });
    const [a, b, c] = trials(queue);
    const controller = new AbortController();
    await soon(a.enter('s'));
    const waiting = b.enter('s', controller.signal);
    queue.loaded('s', 0);
    vi.advanceTimersByTime(10);
    queue.committed('s', 1, () => Promise.resolve(1));
    a.end();
    controller.abort(new Error('gone'));
    await expect(soon(waiting)).rejects.toThrow('gone');
    await vi.advanceTimersByTimeAsync(50);
    await expect(soon(c.enter('s'))).resolves.toBeUndefined();
  });
});
