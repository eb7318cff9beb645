import { newId } from '../messages/index.js';
import { StorageUnavailableError, type OperationRecord, type OperationStorage } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import { BackgroundWorker } from '../background/index.js';
import type { OperationHandler } from './operation-handler.js';
import { OperationRun } from './operation-run.js';

/** How many operations a host runs at once: a long one is not to keep a short one waiting. */
const mostAtOnce = 4;
/** How many open requests are looked at. Nobody asks for more at once. */
const mostLookedAt = 100;
/** When to look again as long as there are requests that others run, or could. */
const againMs = 1_000;

/** Finds what operators ask for, and runs what this host can. As long as nobody asks, it looks at an empty index now and then. */
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
    storage.onAsked(() => this.#worker.wake());
  }

  /** Looks for what is there, and from now on. The storage has to be open. */
  start(): void {
    if (this.#stopped) return;
    this.#worker.wake();
    this.#polling = setInterval(() => this.#worker.wake(), this.#storage.pollMs).unref();
  }

  /** Gives back what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#polling);
    clearTimeout(this.#again);
    await this.#worker.stop();
    for (const { run } of this.#running.values()) run.stop();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  async #look(): Promise<void> {
    const open = await this.#storage.readOpen(mostLookedAt);
    for (const operation of open) {
      if (this.#stopped || this.#running.size >= mostAtOnce) break;
      if (!operation.isHeld && !this.#running.has(operation.id)) await this.#take(operation);
    }
    // Their hosts may be lost, or this one may be able to run them in a moment.
    if (open.some(({ id }) => !this.#running.has(id))) this.#lookAgain();
  }

  async #take(request: OperationRecord): Promise<void> {
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

/** While the database is away nobody can ask, and those who have something to do there say so. The next look is soon enough. */
function unlessAway(error: unknown): void {
  if (!(error instanceof StorageUnavailableError)) throw error;
}
