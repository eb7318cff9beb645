import type { Uuid } from '../json/index.js';
import { RetryDelay } from '../background/index.js';
import type { TransportMessage } from './transport.js';

/** So many streams are held back at most, in some ten megabytes. What is behind them in the outbox waits then. */
export const mostHeldBack = 100_000;

/**
 * The destinations that take no messages at the moment, and the streams whose next message is for one of them: messages behind it wait for
 * their turn, wherever they go. Both hold for one pass through the outbox. The next pass tries each destination again, with its oldest message.
 */
export class ClosedDestinations {
  readonly #report: (error: unknown) => void;
  readonly #closed = new Set<string>();
  readonly #untried = new Set<string>();
  readonly #heldBack = new Set<Uuid>();
  readonly #most: number;
  readonly #delay = new RetryDelay();
  #retryAt: number | null = null;

  constructor(report: (error: unknown) => void, most = mostHeldBack) {
    this.#report = report;
    this.#most = most;
  }

  /** Whether a destination was closed in the last pass, and is not known to be in this one. */
  isUntried({ destination }: TransportMessage): boolean {
    return this.#untried.has(destination);
  }

  /** Whether a message has to wait. Those behind it in its stream wait with it. */
  holdsBack(message: TransportMessage): boolean {
    if (this.#heldBack.has(message.streamId)) return true;
    if (!this.#closed.has(message.destination)) return false;
    this.#holdBack(message);
    return true;
  }

  /** It took a message. */
  opened({ destination }: TransportMessage): void {
    if (this.#untried.delete(destination)) this.#delay.reset();
  }

  /** It did not take a message, which waits. Reports it, once in a pass. */
  closed(message: TransportMessage, error: unknown): void {
    const { destination } = message;
    // One that has just closed may open soon.
    if (!this.#untried.delete(destination)) this.#delay.reset();
    this.#closed.add(destination);
    this.#report(error);
    this.#retryAt ??= performance.now() + this.#delay.nextMs();
    this.#holdBack(message);
  }

  /** How long until they are tried again; null: none is closed. */
  get retryInMs(): number | null {
    return this.#retryAt === null ? null : Math.max(0, this.#retryAt - performance.now());
  }

  /** Whether no further stream can be held back, so that nothing behind it may be looked at. */
  get isFull(): boolean {
    return this.#heldBack.size >= this.#most;
  }

  /** Begins another pass: all of them are to be tried. */
  beginPass(): void {
    for (const destination of this.#closed) this.#untried.add(destination);
    this.#closed.clear();
    this.#heldBack.clear();
    this.#retryAt = null;
  }

  #holdBack({ id, streamId }: TransportMessage): void {
    // A command is a stream of its own, with nothing behind it.
    if (streamId !== id) this.#heldBack.add(streamId);
  }
}
