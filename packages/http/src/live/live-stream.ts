import { Readable } from 'node:stream';
import type { LiveStep, LiveWatch } from '@svc/core/hosting';

/** A comment, which clients ignore. */
const heartbeat = Buffer.from(':\n\n');

/** When a client connects again: at different times, so that not all clients of a stopped host come at once. */
function retryLine(): string {
  return `retry: ${500 + Math.floor(Math.random() * 1_000)}\n\n`;
}

/** The bytes of a step as server-sent events. */
export type WriteStep = (step: LiveStep) => Buffer | Promise<Buffer>;

/**
 * The body of a response with the steps of a live query. A step is created when the client can take it: for a client that reads slowly there is
 * one waiting step at most, and the next one leads to the latest state.
 */
export class LiveStream extends Readable {
  readonly #watch: LiveWatch;
  readonly #bytesOf: WriteStep;
  #isWanted = false;
  #hasBegun = false;
  #isOver = false;

  constructor(watch: LiveWatch, bytesOf: WriteStep) {
    super({ highWaterMark: 1 });
    this.#watch = watch;
    this.#bytesOf = bytesOf;
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
    this.#isOver = true;
    this.#watch.close();
    done(error);
  }

  /** Shows that the connection is alive; not while the client has something to read. */
  beat(): void {
    if (this.#isWanted) this.#push(heartbeat);
  }

  /** Ends the response, because the service stops or the caller may no longer see the models. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#watch.close();
    this.push(retryLine());
    this.push(null);
  }

  #send(): void {
    if (!this.#isWanted) return;
    const step = this.#watch.take();
    if (step === null) return;
    const bytes = this.#bytesOf(step);
    if (!(bytes instanceof Promise)) return this.#push(bytes);
    this.#isWanted = false;
    bytes.then(
      (written) => this.#push(written),
      (error: unknown) => this.destroy(error as Error),
    );
  }

  #push(bytes: Buffer): void {
    this.#isWanted = false;
    // It may have ended while the step was written.
    if (!this.#isOver) this.push(bytes);
  }
}
