import { runWithoutCaller } from '../security/index.js';
import { RetryDelay } from './retry-delay.js';

/**
 * Does some of the work, and resolves with whether there may be more; or after how many milliseconds, for work that waits for something else.
 * `wasWoken`: whether the worker was woken since the last call, or since the step began. The step then looks for work once more.
 */
export type Step = (wasWoken: () => boolean) => Promise<boolean | number>;

/** Does work in steps while it is woken. A step that fails is reported and retried until it succeeds. */
export class BackgroundWorker {
  readonly #step: Step;
  readonly #report: (error: unknown) => void;
  readonly #retry = new RetryDelay();
  #work: Promise<void> | null = null;
  #mayBeMore = false;
  #stopped = false;
  #endPause: (() => void) | undefined;

  constructor(step: Step, report: (error: unknown) => void) {
    this.#step = step;
    this.#report = report;
  }

  /** There may be something to do. */
  wake(): void {
    // Also while it works: what has come since the last step looked would otherwise wait for the next call.
    this.#mayBeMore = true;
    this.#endPause?.();
    if (!this.#stopped) this.#work ??= runWithoutCaller(() => this.#run());
  }

  get isBusy(): boolean {
    return this.#work !== null;
  }

  /** Resolves once nothing is left to do. */
  async idle(): Promise<void> {
    while (this.#work !== null) await this.#work;
  }

  /** Resolves once the step under way is done. What is left waits for the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#retry.cancel();
    this.#endPause?.();
    await this.idle();
  }

  async #run(): Promise<void> {
    // Whatever happens in this turn of the event loop goes together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#mayBeMore && !this.#stopped) {
      this.#mayBeMore = false;
      const more = await this.#tryStep();
      if (typeof more === 'number') await this.#pause(more);
      if (more !== false) this.#mayBeMore = true;
    }
    this.#work = null;
  }

  /** Until it is woken, at most. */
  async #pause(ms: number): Promise<void> {
    if (this.#mayBeMore || this.#stopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = undefined;
  }

  readonly #wasWoken = (): boolean => {
    const wasWoken = this.#mayBeMore;
    this.#mayBeMore = false;
    return wasWoken;
  };

  async #tryStep(): Promise<boolean | number> {
    try {
      const mayBeMore = await this.#step(this.#wasWoken);
      this.#retry.reset();
      return mayBeMore;
    } catch (error) {
      this.#report(error);
      await this.#retry.wait();
      return true;
    }
  }
}
