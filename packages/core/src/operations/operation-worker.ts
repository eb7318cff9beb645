import { newId } from '../messages/index.js';
import { StorageUnavailableError, type OperationRecord, type OperationStorage } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import { BackgroundWorker } from '../background/index.js';
import type { OperationHandler } from './operation-handler.js';
import { OperationRun } from './operation-run.js';

/** How many operations a host runs concurrently: a long one must not delay a short one. */
const mostAtOnce = 4;
/** How many open requests are read: more are not expected. */
const mostLookedAt = 100;
/** When to read again while there are requests that this host does not run. */
const againMs = 1_000;

/** Finds the requests of operators, and runs those that this host can. Without requests it polls an empty index. */
export class OperationWorker {
  readonly #worker: BackgroundWorker;
  readonly #storage: OperationStorage;
  readonly #handlers: ReadonlyMap<string, OperationHandler>;
  readonly #emitter: SystemEventEmitter;
  readonly #report: (error: unknown) => void;
  readonly #holder = newId();
  readonly #running = new Map<string, { readonly run: OperationRun; readonly ended: Promise<void> }>();
  #polling: ReturnType<typeof setInterval> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(
    storage: OperationStorage,
    handlers: ReadonlyMap<string, OperationHandler>,
    emitter: SystemEventEmitter,
    report: (error: unknown) => void,
  ) {
    this.#storage = storage;
    this.#handlers = handlers;
    this.#emitter = emitter;
    this.#report = report;
    this.#worker = new BackgroundWorker(async () => {
      await this.#look().catch(unlessAway);
      return false;
    }, report);
    storage.onRequested(() => this.#worker.wake());
  }

  /** Starts to look for requests. The storage must be open. */
  start(): void {
    if (this.#stopped) return;
    this.#worker.wake();
    this.#polling = setInterval(() => this.#worker.wake(), this.#storage.pollMs).unref();
  }

  /** Releases the running operations. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#polling);
    clearTimeout(this.#again);
    // At once: one that ends while the worker still looks for others would not be given back.
    this.#stopRuns();
    await this.#worker.stop();
    // What the worker has claimed before it stopped.
    this.#stopRuns();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  #stopRuns(): void {
    for (const { run } of this.#running.values()) run.stop();
  }

  async #look(): Promise<void> {
    const open = await this.#storage.readOpen(mostLookedAt);
    for (const operation of open) {
      if (this.#stopped || this.#running.size >= mostAtOnce) break;
      if (!operation.isHeld && !this.#running.has(operation.id)) await this.#claim(operation);
    }
    // Their hosts may be lost, or this host may be able to run them soon.
    if (open.some(({ id }) => !this.#running.has(id))) this.#lookAgain();
  }

  async #claim(request: OperationRecord): Promise<void> {
    const { id, kind } = request;
    const handler = this.#handlers.get(kind);
    if (handler === undefined || (await handler.canRun?.(request)) === false) return;
    const operation = await this.#storage.claim(id, this.#holder);
    if (operation === null) return;
    const parts = { storage: this.#storage, holder: this.#holder, emitter: this.#emitter, report: this.#report };
    const run = new OperationRun(operation, handler, parts);
    const ended = run.run().finally(() => {
      this.#running.delete(id);
      this.#worker.wake();
    });
    this.#running.set(id, { run, ended });
  }

  #lookAgain(): void {
    clearTimeout(this.#again);
    if (!this.#stopped) this.#again = setTimeout(() => this.#worker.wake(), againMs).unref();
  }
}

/** While the database is unavailable there are no requests, and other parts report it. The next poll is soon enough. */
function unlessAway(error: unknown): void {
  if (!(error instanceof StorageUnavailableError)) throw error;
}
