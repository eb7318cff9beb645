import { Readable } from 'node:stream';
import type { LiveWatch } from '@svc/core/hosting';
import { bytesOf } from './live-text.js';

/** A comment, which clients ignore. */
const heartbeat = Buffer.from(':\n\n');

/** When a client connects again: at different times, so that not all clients of a stopped host come at once. */
function retryLine(): string {
  return `retry: ${500 + Math.floor(Math.random() * 1_000)}\n\n`;
}

/**
 * The body of a response with the steps of a live query. A step is created when the client can take it: for a client that reads slowly there is
 * one waiting step at most, and the next one leads to the latest state.
 */
export class LiveStream extends Readable {
  readonly #watch: LiveWatch;
  #isWanted = false;
  #hasBegun = false;

  constructor(watch: LiveWatch) {
    super({ highWaterMark: 1 });
    this.#watch = watch;
    watch.listen(
      () => this.#send(),
      () => this.end(),
    );
  }

  override _read(): void {
    this.#isWanted = true;
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#push(Buffer.from(retryLine()));
    } else this.#send();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#watch.close();
    done(error);
  }

  /** Shows that the connection is alive; not while the client has something to read. */
  beat(): void {
    if (this.#isWanted) this.#push(heartbeat);
  }

  /** Ends the response, because the service stops or the caller may no longer see the models. */
  end(): void {
    if (this.destroyed || this.readableEnded) return;
    this.#watch.close();
    this.push(retryLine());
    this.push(null);
  }

  #send(): void {
    if (!this.#isWanted) return;
    const step = this.#watch.take();
    if (step !== null) this.#push(bytesOf(step));
  }

  #push(bytes: Buffer): void {
    this.#isWanted = false;
    this.push(bytes);
  }
}
