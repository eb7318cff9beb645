/** How long the outbox waits at most when nobody says that there is something in it. */
const defaultPollMs = 5_000;

/**
 * Tells the outbox workers that there may be something to do: when the database says so, and, as a safety net, every few seconds.
 * The time between is spread, so that hosts do not meet, and keeps no process alive.
 */
export class OutgoingSignal {
  readonly #pollMs: number;
  readonly #listeners: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(pollMs = defaultPollMs) {
    this.#pollMs = pollMs;
  }

  add(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Begins to poll. */
  start(): void {
    this.#timer = setTimeout(
      () => {
        this.start();
        this.raise();
      },
      this.#pollMs * (0.75 + Math.random() / 2),
    );
    this.#timer.unref();
  }

  raise(): void {
    for (const listener of this.#listeners) listener();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#listeners.length = 0;
  }
}
