import { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { LiveStep, LiveWatch } from '@svc/core/hosting';
import type { CountStep } from './live-meter.js';

/** A comment, which clients ignore. */
const heartbeat = Buffer.from(':\n\n');

/** When a client connects again: at different times, so that not all clients of a stopped host come at once. */
function retryLine(): string {
  return `retry: ${500 + Math.floor(Math.random() * 1_000)}\n\n`;
}

/** Over HTTP/1, a response that ends with its connection needs no frames around each step. */
function endWithConnection(response: ServerResponse): void {
  response.setHeader('connection', 'close');
  response.removeHeader('transfer-encoding');
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
  readonly #count: CountStep | null;
  /** The response, if the steps are written to it directly. */
  #response: NodeJS.WritableStream | null = null;
  #isWanted = false;
  #hasBegun = false;
  #isOver = false;

  /** `count`: called for each step that the connection is given; null: not measured. */
  constructor(watch: LiveWatch, bytesOf: WriteStep, count: CountStep | null) {
    super({ highWaterMark: 1 });
    this.#watch = watch;
    this.#bytesOf = bytesOf;
    this.#count = count;
    watch.listen(
      () => this.#send(),
      () => this.end(),
    );
  }

  override _read(): void {
    this.#continue();
  }

  /**
   * Writes to a response of Node, without the machinery of streams: it would need 2 kB more for each connection, and a quarter more time for each
   * step.
   */
  override pipe<T extends NodeJS.WritableStream>(response: T): T {
    if (response instanceof ServerResponse) endWithConnection(response);
    // It has ended while it was opened.
    if (this.#isOver) return super.pipe(response);
    this.#response = response;
    response.on('drain', () => this.#continue());
    this.#continue();
    return response;
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
    if (this.#response === null) this.push(retryLine());
    else this.#response.end(retryLine());
    this.push(null);
    // Nothing reads it, and then it would not end.
    if (this.#response !== null) this.resume();
  }

  /** The client can take the next step. */
  #continue(): void {
    this.#isWanted = true;
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#push(Buffer.from(retryLine()));
    }
    this.#send();
  }

  #send(): void {
    if (!this.#isWanted) return;
    const step = this.#watch.take();
    if (step === null) return;
    const bytes = this.#bytesOf(step);
    if (!(bytes instanceof Promise)) return this.#push(bytes, step);
    this.#isWanted = false;
    bytes.then(
      (written) => this.#written(step, written),
      (error: unknown) => this.destroy(error as Error),
    );
  }

  /** There may be the next step already. */
  #written(step: LiveStep, bytes: Buffer): void {
    this.#push(bytes, step);
    this.#send();
  }

  #push(bytes: Buffer, step: LiveStep | null = null): void {
    this.#isWanted = false;
    // It may have ended while the step was written.
    if (this.#isOver) return;
    if (step !== null) this.#count?.(step, bytes.length);
    if (this.#response === null) this.push(bytes);
    // Until the connection has sent most of what it was given, nothing else is written.
    else this.#isWanted = this.#response.write(bytes);
  }
}
