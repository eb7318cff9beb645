const firstMs = 50;
export const usualLongestMs = 30_000;

/** The delay after a number of earlier failures: twice as long each time up to a limit, and spread so that hosts do not meet. */
export function retryDelayMs(failures: number, longestMs = usualLongestMs): number {
  return Math.min(firstMs * 2 ** failures, longestMs) * (0.5 + Math.random() / 2);
}

/** How long to wait before the next attempt: twice as long each time up to a limit, and spread so that hosts do not meet. */
export class RetryDelay {
  readonly #longestMs: number;
  #failures = 0;
  #end: (() => void) | undefined;
  #cancelled = false;

  constructor(longestMs = usualLongestMs) {
    this.#longestMs = longestMs;
  }

  reset(): void {
    this.#failures = 0;
  }

  /** How long the next waiting is. */
  nextMs(): number {
    return retryDelayMs(this.#failures++, this.#longestMs);
  }

  async wait(): Promise<void> {
    if (this.#cancelled) return;
    const ms = this.nextMs();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#end = undefined;
  }

  /** Ends the waiting, now and from now on. */
  cancel(): void {
    this.#cancelled = true;
    this.#end?.();
  }
}
