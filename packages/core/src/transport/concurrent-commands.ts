import { RetryDelay } from '../background/index.js';
import type { ReceiveCommand, ReceivedMessage } from './transport.js';

/** How many commands a host runs concurrently by default. */
export const defaultCommandsAtOnce = 32;

/** How long `close` waits for running commands. Longer ones are delivered again, and take effect once. */
const longestCloseMs = 10_000;

/** The outcome of a delivery: processed (true), not processed (false), or an error for which the broker dead-letters it. */
export type DeliveryOutcome = boolean | Error;

/** A delivery of a command. */
interface Holder {
  readonly isHeld: () => boolean;
  readonly done: (outcome: DeliveryOutcome) => void;
}

/** A command, and its deliveries that wait for the outcome. */
interface QueuedCommand {
  readonly key: string;
  readonly message: ReceivedMessage;
  readonly retry: RetryDelay;
  holders: Holder[];
}

/**
 * Runs received commands concurrently up to a limit, and retries each that fails after a delay. A command that is delivered again while it
 * runs does not run twice: all of its deliveries wait for the same outcome. So a receptor that never ends occupies one place only.
 */
export class ConcurrentCommands {
  readonly #receive: ReceiveCommand;
  readonly #atOnce: number;
  readonly #waiting = new Map<string, QueuedCommand>();
  readonly #running = new Map<string, QueuedCommand>();
  #closing: Promise<void> | null = null;
  #ended: () => void = () => {};

  constructor(receive: ReceiveCommand, atOnce = defaultCommandsAtOnce) {
    this.#receive = receive;
    this.#atOnce = atOnce;
  }

  get size(): number {
    return this.#waiting.size + this.#running.size;
  }

  /** Resolves with the outcome of a delivery: false if this is closed first, or if the delivery was lost. */
  take(message: ReceivedMessage, isHeld: () => boolean = () => true): Promise<DeliveryOutcome> {
    return new Promise((done) => {
      if (this.#closing !== null) return done(false);
      const holder = { isHeld, done };
      const key = keyOf(message);
      const known = this.#running.get(key) ?? this.#waiting.get(key);
      if (known === undefined) {
        this.#waiting.set(key, { key, message, retry: new RetryDelay(), holders: [holder] });
        this.#fill();
      } else {
        dropLost(known);
        known.holders.push(holder);
      }
    });
  }

  /** Resolves once no command runs, or after a time limit. Failed commands are not retried. */
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

  /** Starts waiting commands up to the limit. */
  #fill(): void {
    for (const [key, queued] of this.#waiting) {
      dropLost(queued);
      if (queued.holders.length === 0) this.#waiting.delete(key);
      else if (this.#running.size < this.#atOnce) {
        this.#waiting.delete(key);
        this.#running.set(key, queued);
        void this.#run(queued);
      }
    }
  }

  async #run(queued: QueuedCommand): Promise<void> {
    let outcome: DeliveryOutcome = false;
    while (outcome === false && this.#closing === null && queued.holders.some(({ isHeld }) => isHeld())) {
      try {
        outcome = (await this.#receive(queued.message))?.cause ?? true;
      } catch {
        // The receiver has reported it.
        await queued.retry.wait();
      }
    }
    this.#running.delete(queued.key);
    settle([queued], outcome);
    this.#fill();
    if (this.#running.size === 0) this.#ended();
  }
}

/** Not the id alone: the outcome of a forged message must not settle a genuine one with the same id. */
function keyOf({ id, origin, provenOrigin, signature }: ReceivedMessage): string {
  return `${id} ${provenOrigin} ${signature?.value} ${origin}`;
}

function settle(commands: Iterable<QueuedCommand>, outcome: DeliveryOutcome): void {
  for (const { holders } of commands) for (const { done } of holders) done(outcome);
}

/** Drops the deliveries of lost connections. */
function dropLost(queued: QueuedCommand): void {
  const lost = queued.holders.filter(({ isHeld }) => !isHeld());
  queued.holders = queued.holders.filter((holder) => !lost.includes(holder));
  for (const { done } of lost) done(false);
}
