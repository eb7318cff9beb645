/** When the next failed stream is retried. */
export class NextRetry {
  readonly #wake: () => void;
  #at: number;
  #timer: NodeJS.Timeout | undefined;

  /** `isUnknown`: streams have failed before, and when they are retried must be read. */
  constructor(isUnknown: boolean, wake: () => void) {
    this.#at = isUnknown ? 0 : Infinity;
    this.#wake = wake;
  }

  /** Whether the time has come. Then it is unknown again until `in` is called. */
  isDue(): boolean {
    if (performance.now() < this.#at) return false;
    this.#at = Infinity;
    return true;
  }

  /** Waits for what reads the due streams. If it fails, they are due again. */
  async reading<T>(due: Promise<T>): Promise<T> {
    try {
      return await due;
    } catch (error) {
      this.#at = 0;
      throw error;
    }
  }

  /** Calls `wake` after some milliseconds, unless it does so earlier. */
  in(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (at >= this.#at) return;
    this.#at = at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#wake, milliseconds + 1).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#at = -Infinity;
  }
}
