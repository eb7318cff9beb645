/**
 * Ends everything that waits, all at once. Those who wait are known one by one, and only while they do: a promise of the end that all of them
 * raced against would keep the result of each for as long as the end does not come.
 */
export class Interruption {
  readonly #waiting = new Set<(error: Error) => void>();
  #error: Error | null = null;

  /** The result, unless everything is ended before. */
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

  /** Everybody who waits is told, and whoever comes later. */
  end(error: Error): void {
    this.#error ??= error;
    for (const end of this.#waiting) end(this.#error);
  }
}
