/**
 * Ends all waiting operations at once. Tracks each waiting caller only while it waits: one shared promise to race against would retain
 * every result until the end.
 */
export class Interruption {
  readonly #waiting = new Set<(error: Error) => void>();
  #error: Error | null = null;

  /** The result, unless `end` comes first. */
  async unlessEnded<T>(running: Promise<T>): Promise<T> {
    let end: (error: Error) => void = () => {};
    const ended = new Promise<never>((_, reject) => (end = reject));
    if (this.#error === null) this.#waiting.add(end);
    else end(this.#error);
    try {
      return await Promise.race([running, ended]);
    } finally {
      this.#waiting.delete(end);
    }
  }

  /** Rejects all waiting callers, and all later ones. */
  end(error: Error): void {
    this.#error ??= error;
    for (const end of this.#waiting) end(this.#error);
  }
}
