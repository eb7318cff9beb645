import { onAbort, type Cancellation } from './cancellation.js';
import { StreamBusyError } from './stream-busy-error.js';

/** Called when a command begins to wait for a stream. Returns what is called when it no longer waits. */
export type ObserveWait = () => () => void;

/** How many commands of a host can wait for one stream. */
const mostWaiting = 1_000;

/** After how many pauses without a change by another host a host no longer pauses. */
const patience = 4;
/** How long a host waits for a change by another host that appends to the same stream. */
const longestPauseMs = 50;
const pollMs = 2;

export interface StreamQueueOptions {
  /** Whether other hosts may append to the same streams. */
  readonly isShared: boolean;
  /** Default: 1,000. */
  readonly mostWaiting?: number;
}

/**
 * The commands of this host that load the same stream run one after the other, so that they do not conflict. It only avoids conflicts: where a
 * command does not wait, the expected position detects them. Where other hosts append to the stream, this host pauses between its commands
 * (decision 0095).
 */
export class StreamQueue {
  readonly #lines = new Map<string, Line>();
  readonly #isShared: boolean;
  readonly #mostWaiting: number;

  constructor(options: StreamQueueOptions) {
    this.#isShared = options.isShared;
    this.#mostWaiting = options.mostWaiting ?? mostWaiting;
  }

  /** Resolves when the command holds the stream, or must not wait for it. It holds the stream until it ends. `observe`: called if it waits. */
  async enter(
    turn: CommandTurn,
    stream: string,
    cancellation: Cancellation,
    observe: ObserveWait | null = null,
  ): Promise<void> {
    if (turn.hasEnded) return;
    const line = this.#lines.get(stream);
    if (line === undefined) {
      this.#lines.set(stream, new Line(turn, this.#isShared ? patience : 0));
      turn.onEnd(() => this.#leave(turn, stream));
      return;
    }
    const isWaiting = line.waiting.some((waiter) => waiter.turn === turn);
    if (!isWaiting && wouldWaitForItself(turn, line)) return;
    if (line.waiting.length >= this.#mostWaiting) throw new StreamBusyError(line.waiting.length);
    turn.onEnd(() => this.#leave(turn, stream));
    const ended = observe?.();
    try {
      await waitIn(line, turn, cancellation);
    } finally {
      ended?.();
    }
  }

  /** Notes the position of a stream that a command has loaded. A position that this host has not reached is of another host. */
  loaded(stream: string, position: number): void {
    const line = this.#lines.get(stream);
    if (line === undefined) return;
    if (this.#isShared && line.position !== null && position > line.position) {
      line.isContended = true;
      line.pauses = patience;
    }
    line.position = position;
    line.loadedAt = performance.now();
  }

  /** Notes the position of a stream to which a command of this host has appended. `read` reads the position that it has later. */
  committed(stream: string, position: number, read: () => Promise<number>): void {
    const line = this.#lines.get(stream);
    if (line === undefined) return;
    line.position = position;
    line.readPosition = read;
  }

  #leave(turn: CommandTurn, stream: string): void {
    const line = this.#lines.get(stream);
    if (line === undefined) return;
    // A command that has ended no longer waits.
    for (const waiter of line.waiting.filter((one) => one.turn === turn)) waiter.end();
    if (line.holder !== turn) return;
    if (line.waiting.length === 0 || line.pauses === 0 || line.readPosition === null) {
      this.#handOver(line, stream);
      return;
    }
    line.holder = new CommandTurn();
    void pause(line, line.readPosition).then(() => this.#handOver(line, stream));
  }

  #handOver(line: Line, stream: string): void {
    const next = line.waiting[0]?.turn;
    if (next === undefined) {
      this.#lines.delete(stream);
      return;
    }
    line.holder = next;
    line.readPosition = null;
    for (const waiter of line.waiting.filter((one) => one.turn === next)) waiter.end();
  }
}

/** One command, with its nested commands, that can hold streams until it ends. */
export class CommandTurn {
  /** The streams that the command waits for. */
  readonly waitsFor = new Set<Line>();
  /** Commands that a receptor of this one has started with a unit of work of their own, and may wait for. */
  readonly inner = new Set<CommandTurn>();
  #outer: CommandTurn | undefined;
  #hasEnded = false;
  #endings: (() => void)[] | undefined;

  /** `outer`: the command inside which this one was started; undefined, or one that has ended: there is none to wait for. */
  constructor(outer?: CommandTurn) {
    this.#outer = outer?.hasEnded === false ? outer : undefined;
    this.#outer?.inner.add(this);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  onEnd(ending: () => void): void {
    (this.#endings ??= []).push(ending);
  }

  end(): void {
    this.#hasEnded = true;
    this.#outer?.inner.delete(this);
    this.#outer = undefined;
    // The last ones first: they may use what the first ones end.
    for (const ending of this.#endings?.toReversed() ?? []) ending();
  }
}

/** The command that holds a stream, and those that wait for it. */
class Line {
  holder: CommandTurn;
  readonly waiting: Waiter[] = [];
  /** The last position that this host knows; null: none yet. */
  position: number | null = null;
  /** When the holder has loaded the stream, by `performance.now()`. */
  loadedAt = performance.now();
  /** Reads the position of the stream, if the holder has appended to it. */
  readPosition: (() => Promise<number>) | null = null;
  /** Whether another host has appended to the stream. */
  isContended = false;
  /** How many pauses are left until another host appends to it again. */
  pauses: number;

  constructor(holder: CommandTurn, pauses: number) {
    this.holder = holder;
    this.pauses = pauses;
  }
}

interface Waiter {
  readonly turn: CommandTurn;
  /** Ends the waiting. */
  readonly end: () => void;
}

/**
 * Gives a command of another host, which has just lost against this one, the time to run again. Where the hosts are known to compete, it waits until
 * the other one has appended.
 */
async function pause(line: Line, readPosition: () => Promise<number>): Promise<void> {
  const started = performance.now();
  const decidedMs = started - line.loadedAt;
  line.pauses--;
  if (!line.isContended) return await delay(Math.min(decidedMs * (1 + Math.random()), longestPauseMs));
  while (performance.now() - started < longestPauseMs) {
    await delay(pollMs);
    // The next command reports it if the database does not answer.
    const position = await readPosition().catch(() => Infinity);
    if (position > line.position!) return;
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function waitIn(line: Line, turn: CommandTurn, cancellation: Cancellation): Promise<void> {
  cancellation.throwIfAborted();
  await new Promise<void>((resolve) => {
    const waiter = { turn, end };
    const removeListener = onAbort(cancellation, end);
    line.waiting.push(waiter);
    turn.waitsFor.add(line);

    function end(): void {
      removeListener();
      line.waiting.splice(line.waiting.indexOf(waiter), 1);
      if (!line.waiting.some((other) => other.turn === turn)) turn.waitsFor.delete(line);
      resolve();
    }
  });
  cancellation.throwIfAborted();
}

/** Whether a command that waits in the line would wait for a command that waits for it. Waiting commands count as holders: they will be. */
function wouldWaitForItself(turn: CommandTurn, line: Line): boolean {
  const waitedFor = new Set<Line | CommandTurn>([line]);
  // The loop also visits what it adds.
  for (const next of waitedFor) {
    if (next === turn) return true;
    const following =
      next instanceof CommandTurn
        ? [...next.waitsFor, ...next.inner]
        : [next.holder, ...next.waiting.map((waiter) => waiter.turn)];
    for (const one of following) waitedFor.add(one);
  }
  return false;
}
