/** Lets others wait for the next change. */
export class ChangeSignal {
  readonly #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  raise(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
