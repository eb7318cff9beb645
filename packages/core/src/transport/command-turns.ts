import { RetryDelay } from '../background/index.js';
import type { ReceiveCommand, ReceivedMessage } from './transport.js';

/** How many commands a host handles side by side, unless its transport is told otherwise. */
export const defaultCommandsAtOnce = 32;

/** How long commands that are under way are waited for. What takes longer comes again, and has its effect once. */
const longestCloseMs = 10_000;

/** What becomes of a delivery: it is done with, or is not, or is for the broker to dead-letter for a cause. */
export type TurnOutcome = boolean | Error;

/** Whoever has a delivery of a command in hand. */
interface Holder {
  readonly isHeld: () => boolean;
  readonly done: (outcome: TurnOutcome) => void;
}

/** A command, and the deliveries of it that wait for the outcome. */
interface Turn {
  readonly key: string;
  readonly message: ReceivedMessage;
  readonly retry: RetryDelay;
  holders: Holder[];
}

/**
 * Hands over the commands that have come, so many side by side, and each again after a pause when it could not be taken. One that comes again
 * while it is under way is not run beside itself: whoever holds it waits for the same outcome. So a receptor that never ends has one place, and
 * not one more with each connection that is lost.
 */
export class CommandTurns {
  readonly #receive: ReceiveCommand;
  readonly #atOnce: number;
  readonly #waiting = new Map<string, Turn>();
  readonly #running = new Map<string, Turn>();
  #closing: Promise<void> | null = null;
  #ended: () => void = () => {};

  constructor(receive: ReceiveCommand, atOnce = defaultCommandsAtOnce) {
    this.#receive = receive;
    this.#atOnce = atOnce;
  }

  get size(): number {
    return this.#waiting.size + this.#running.size;
  }

  /** What becomes of it. It is not done with when the turns are closed before, or when its delivery was lost. */
  take(message: ReceivedMessage, isHeld: () => boolean = () => true): Promise<TurnOutcome> {
    return new Promise((done) => {
      if (this.#closing !== null) return done(false);
      const holder = { isHeld, done };
      const key = keyOf(message);
      const known = this.#running.get(key) ?? this.#waiting.get(key);
      if (known === undefined) {
        this.#waiting.set(key, { key, message, retry: new RetryDelay(), holders: [holder] });
        this.#fill();
      } else {
        letGo(known);
        known.holders.push(holder);
      }
    });
  }

  /** Resolves once nothing is under way, or when it takes too long. What has failed is not tried again. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    settle(this.#waiting.values(), false);
    this.#waiting.clear();
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, longestCloseMs);
      this.#ended = () => {
        clearTimeout(timer);
        resolve();
      };
      for (const { retry } of this.#running.values()) retry.cancel();
    });
    settle(this.#running.values(), false);
  }

  /** Lets commands run as long as there is room. */
  #fill(): void {
    for (const [key, turn] of this.#waiting) {
      letGo(turn);
      if (turn.holders.length === 0) this.#waiting.delete(key);
      else if (this.#running.size < this.#atOnce) {
        this.#waiting.delete(key);
        this.#running.set(key, turn);
        void this.#run(turn);
      }
    }
  }

  async #run(turn: Turn): Promise<void> {
    let outcome: TurnOutcome = false;
    while (outcome === false && this.#closing === null && turn.holders.some(({ isHeld }) => isHeld())) {
      try {
        outcome = (await this.#receive(turn.message))?.cause ?? true;
      } catch {
        // The receiver has reported it.
        await turn.retry.wait();
      }
    }
    this.#running.delete(turn.key);
    settle([turn], outcome);
    this.#fill();
    if (this.#running.size === 0) this.#ended();
  }
}

/** Not by the id alone: a forged message may have the id of another, which must not be settled by what becomes of the forged one. */
function keyOf({ id, origin, provenOrigin, signature }: ReceivedMessage): string {
  return `${id} ${provenOrigin} ${signature?.value} ${origin}`;
}

function settle(turns: Iterable<Turn>, outcome: TurnOutcome): void {
  for (const { holders } of turns) for (const { done } of holders) done(outcome);
}

/** Drops the deliveries that are nobody's any more: those of a connection that was lost. */
function letGo(turn: Turn): void {
  const lost = turn.holders.filter(({ isHeld }) => !isHeld());
  if (lost.length === 0) return;
  turn.holders = turn.holders.filter((holder) => !lost.includes(holder));
  for (const { done } of lost) done(false);
}
