/** The longest time between two checks of the outbox without a notification. */
const defaultPollMs = 5_000;

/**
 * Wakes the outbox workers when the database notifies the host and, as a safety net, every few seconds. The interval is randomized, so that
 * hosts do not poll at the same time. The timer does not prevent the process from exiting.
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

  /** Starts to poll. */
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
