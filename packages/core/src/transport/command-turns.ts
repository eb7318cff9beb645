import type { Uuid } from '../json/index.js';
import { RetryDelay } from './retry-delay.js';
import type { ReceiveCommand, TransportMessage } from './transport.js';

/** How many commands a host handles side by side, unless its transport is told otherwise. */
export const defaultCommandsAtOnce = 32;

/** How long commands that are under way are waited for. What takes longer comes again, and has its effect once. */
const longestCloseMs = 10_000;

/** Whoever has a delivery of a command in hand. */
interface Holder {
  readonly isHeld: () => boolean;
  readonly done: (isDone: boolean) => void;
}

/** A command, and the deliveries of it that wait for the outcome. */
interface Turn {
  readonly message: TransportMessage;
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
  readonly #waiting = new Map<Uuid, Turn>();
  readonly #running = new Map<Uuid, Turn>();
  #closing: Promise<void> | null = null;
  #ended: () => void = () => {};

  constructor(receive: ReceiveCommand, atOnce = defaultCommandsAtOnce) {
    this.#receive = receive;
    this.#atOnce = atOnce;
  }

  get size(): number {
    return this.#waiting.size + this.#running.size;
  }

  /** Whether it is done with. It is not when the turns are closed before, or when it is nobody's to take any more. */
  take(message: TransportMessage, isHeld: () => boolean = () => true): Promise<boolean> {
    return new Promise((done) => {
      if (this.#closing !== null) return done(false);
      const holder = { isHeld, done };
      const known = this.#running.get(message.id) ?? this.#waiting.get(message.id);
      if (known === undefined) {
        this.#waiting.set(message.id, { message, retry: new RetryDelay(), holders: [holder] });
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
    for (const [id, turn] of this.#waiting) {
      letGo(turn);
      if (turn.holders.length === 0) this.#waiting.delete(id);
      else if (this.#running.size < this.#atOnce) {
        this.#waiting.delete(id);
        this.#running.set(id, turn);
        void this.#run(turn);
      }
    }
  }

  async #run(turn: Turn): Promise<void> {
    let isDone = false;
    while (!isDone && this.#closing === null && turn.holders.some(({ isHeld }) => isHeld())) {
      try {
        await this.#receive(turn.message);
        isDone = true;
      } catch {
        // Whoever receives has told of it.
        await turn.retry.wait();
      }
    }
    this.#running.delete(turn.message.id);
    settle([turn], isDone);
    this.#fill();
    if (this.#running.size === 0) this.#ended();
  }
}

function settle(turns: Iterable<Turn>, isDone: boolean): void {
  for (const { holders } of turns) for (const { done } of holders) done(isDone);
}

/** Drops the deliveries that are nobody's any more: those of a connection that was lost. */
function letGo(turn: Turn): void {
  const lost = turn.holders.filter(({ isHeld }) => !isHeld());
  if (lost.length === 0) return;
  turn.holders = turn.holders.filter((holder) => !lost.includes(holder));
  for (const { done } of lost) done(false);
}
