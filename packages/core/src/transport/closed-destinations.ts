import type { Uuid } from '../json/index.js';
import { RetryDelay } from '../background/index.js';
import type { TransportMessage } from './transport.js';

/** The maximum number of streams that are held back, in about ten megabytes. Later messages in the outbox then wait. */
export const mostHeldBack = 100_000;

/**
 * The destinations that accept no messages at the moment, and the streams whose next message is for one of them: later messages of such a
 * stream wait, whatever their destination. Each pass through the outbox tries every destination again with its oldest message.
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

  /** Whether a destination was closed in the previous pass, and was not tried in this one. */
  isUntried({ destination }: TransportMessage): boolean {
    return this.#untried.has(destination);
  }

  /** Whether a message must wait. Later messages of its stream then wait as well. */
  holdsBack(message: TransportMessage): boolean {
    if (this.#heldBack.has(message.streamId)) return true;
    if (!this.#closed.has(message.destination)) return false;
    this.#holdBack(message);
    return true;
  }

  /** The destination has accepted a message. */
  opened({ destination }: TransportMessage): void {
    if (this.#untried.delete(destination)) this.#delay.reset();
  }

  /** The destination has rejected a message, which waits. Reports the error. */
  closed(message: TransportMessage, error: unknown): void {
    const { destination } = message;
    // A destination that has just closed may open soon.
    if (!this.#untried.delete(destination)) this.#delay.reset();
    this.#closed.add(destination);
    this.#report(error);
    this.#retryAt ??= performance.now() + this.#delay.nextMs();
    this.#holdBack(message);
  }

  /** When closed destinations are tried again, in milliseconds from now; null: none is closed. */
  get retryInMs(): number | null {
    return this.#retryAt === null ? null : Math.max(0, this.#retryAt - performance.now());
  }

  /** Whether no more streams can be held back, so that no later messages may be read. */
  get isFull(): boolean {
    return this.#heldBack.size >= this.#most;
  }

  /** Starts another pass, which tries all destinations. */
  beginPass(): void {
    for (const destination of this.#closed) this.#untried.add(destination);
    this.#closed.clear();
    this.#heldBack.clear();
    this.#retryAt = null;
  }

  #holdBack({ id, streamId }: TransportMessage): void {
    // A command is the only message of its stream.
    if (streamId !== id) this.#heldBack.add(streamId);
  }
}
