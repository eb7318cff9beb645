import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { DigestedEvents, DigestingThread } from '../../storage/index.js';
import type { Request, Response } from './messages.js';

/** How long a thread may take to close its connection before it is ended. */
const closeMs = 5_000;

interface Waiting {
  readonly resolve: (events: DigestedEvents | null) => void;
  readonly reject: (error: Error) => void;
}

/** A thread that runs a module which calls `serveDigests`. */
export class DigestingWorker implements DigestingThread {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #waiting: Waiting[] = [];
  #failure: Error | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.unref();
    worker.on('message', (response: Response) => this.#received(response));
    worker.on('error', (error) => this.#end(error));
    worker.on('messageerror', (error) => this.#end(error));
    this.#ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#end(new Error('The thread has ended.'));
        resolve();
      });
    });
  }

  /**
   * Runs a module of the storage's package, with options for its storage. Null: the module does not exist, because the package was bundled, or a
   * value of the options, such as a function, cannot be passed to another thread.
   */
  static start(module: URL, options: object): DigestingWorker | null {
    if (!existsSync(module)) return null;
    // Modules that the process loads before its program, such as instrumentation, are not for this thread.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'NODE_OPTIONS'));
    try {
      const worker = new Worker(module, { name: 'svc seals', workerData: options, execArgv: [], env });
      return new DigestingWorker(worker);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'DataCloneError') return null;
      throw error;
    }
  }

  digest(after: {
    readonly sequence: number;
    readonly size: number;
    readonly frontier: Uint8Array;
  }): Promise<DigestedEvents | null> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      // A process that stops waits for the events.
      this.#worker.ref();
      const { sequence, size, frontier } = after;
      this.#post({ kind: 'digest', sequence, size, frontier: new Uint8Array(frontier) });
    });
  }

  async close(): Promise<void> {
    this.#post({ kind: 'close' });
    const timer = setTimeout(() => void this.#worker.terminate(), closeMs);
    await this.#ended;
    clearTimeout(timer);
  }

  #post(request: Request): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
    this.#worker.postMessage(request);
  }

  #received(response: Response): void {
    const { resolve, reject } = this.#waiting.shift()!;
    if (this.#waiting.length === 0) this.#worker.unref();
    if (response.kind === 'digested') resolve(response.events);
    else reject(response.error);
  }

  #end(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
