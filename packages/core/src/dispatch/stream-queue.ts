import { onAbort, type Cancellation } from './cancellation.js';
import { StreamBusyError } from './stream-busy-error.js';

/** How many commands of a host can wait for one stream. */
const mostWaiting = 1_000;

/**
 * The commands of this host that load the same stream run one after the other, so that they do not conflict. It only avoids conflicts: where a
 * command does not wait, the expected position detects them.
 */
export class StreamQueue {
  readonly #lines = new Map<string, Line>();
  readonly #mostWaiting: number;

  constructor(most = mostWaiting) {
    this.#mostWaiting = most;
  }

  /** Resolves when the command holds the stream, or must not wait for it. It holds the stream until it ends. */
  async enter(turn: CommandTurn, stream: string, cancellation: Cancellation): Promise<void> {
    if (turn.hasEnded) return;
    const line = this.#lines.get(stream);
    if (line === undefined) {
      this.#lines.set(stream, { holder: turn, waiting: [] });
      turn.onEnd(() => this.#leave(turn, stream));
      return;
    }
    if (line.holder === turn) return;
    const isWaiting = line.waiting.some((waiter) => waiter.turn === turn);
    if (!isWaiting && wouldWaitForItself(turn, line)) return;
    if (line.waiting.length >= this.#mostWaiting) throw new StreamBusyError(line.waiting.length);
    if (!isWaiting) turn.onEnd(() => this.#leave(turn, stream));
    await waitIn(line, turn, cancellation);
  }

  #leave(turn: CommandTurn, stream: string): void {
    const line = this.#lines.get(stream);
    if (line === undefined) return;
    // A command that has ended no longer waits.
    for (const waiter of line.waiting.filter((one) => one.turn === turn)) waiter.end();
    if (line.holder !== turn) return;
    const next = line.waiting[0]?.turn;
    if (next === undefined) {
      this.#lines.delete(stream);
      return;
    }
    line.holder = next;
    for (const waiter of line.waiting.filter((one) => one.turn === next)) waiter.end();
  }
}

/** One command, with its nested commands, that can hold streams until it ends. */
export class CommandTurn {
  /** The streams that the command waits for. */
  readonly waitsFor = new Set<Line>();
  /** Commands that a receptor of this one has started with a unit of work of their own, and may wait for. */
  readonly inner = new Set<CommandTurn>();
  #outer: CommandTurn | null;
  #hasEnded = false;
  #endings: (() => void)[] | undefined;

  constructor(outer: CommandTurn | null) {
    this.#outer = outer;
    outer?.inner.add(this);
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
    this.#outer = null;
    for (const ending of this.#endings ?? []) ending();
  }
}

/** The command that holds a stream, and those that wait for it. */
interface Line {
  holder: CommandTurn;
  readonly waiting: Waiter[];
}

interface Waiter {
  readonly turn: CommandTurn;
  /** Ends the waiting. */
  readonly end: () => void;
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
  const seen = new Set<Line | CommandTurn>([line]);
  const pending: (Line | CommandTurn)[] = [line];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const following =
      next instanceof CommandTurn
        ? [...next.waitsFor, ...next.inner]
        : [next.holder, ...next.waiting.map((waiter) => waiter.turn)];
    for (const one of following) {
      if (one === turn) return true;
      if (!seen.has(one)) {
        seen.add(one);
        pending.push(one);
      }
    }
  }
  return false;
}
