import { BackgroundWorker } from '../background/index.js';
import type { StorageSeals } from '../storage/index.js';
import type { CheckpointAnchor } from './anchor.js';

/** How many seals are read at once: each can have 320 kB. */
const sealsPerPage = 8;

/** How long an anchor may take for one checkpoint. */
const longestStoreMs = 30_000;

/** How an anchor is doing, for health checks. */
export interface AnchorStanding {
  readonly name: string;
  /** The number of the last checkpoint that it has; null: unknown. */
  readonly anchored: number | null;
  /** Why its last attempt failed; null: it did not fail. */
  readonly failure: string | null;
}

/** What is called when an anchor fails. */
export interface AnchorFailures {
  /** For each attempt. */
  readonly anchorFailed: (anchor: string) => void;
  /** Once for each outage. */
  readonly report: (error: unknown) => void;
}

/** Sends the checkpoints of a log to one anchor, in order, and repeats what fails. Resumes after the last checkpoint that is recorded as received. */
export class Anchoring {
  readonly #seals: StorageSeals;
  readonly #anchor: CheckpointAnchor;
  readonly #failures: AnchorFailures;
  readonly #worker: BackgroundWorker;
  readonly #stopping = new AbortController();
  #anchored: number | null = null;
  #failure: string | null = null;

  constructor(seals: StorageSeals, anchor: CheckpointAnchor, failures: AnchorFailures) {
    this.#seals = seals;
    this.#anchor = anchor;
    this.#failures = failures;
    this.#worker = new BackgroundWorker(
      () => this.#step(),
      (error) => this.#failed(error),
    );
  }

  /** There may be new checkpoints. */
  wake(): void {
    this.#worker.wake();
  }

  get standing(): AnchorStanding {
    return { name: this.#anchor.name, anchored: this.#anchored, failure: this.#failure };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#worker.stop();
  }

  /** Another host seals now, and sends what follows. */
  forget(): void {
    this.#anchored = null;
    this.#failure = null;
  }

  async #step(): Promise<boolean> {
    const { name } = this.#anchor;
    this.#anchored ??= (await this.#seals.readAnchored()).get(name) ?? 0;
    const seals = await this.#seals.read(this.#anchored, sealsPerPage);
    for (const { number, checkpoint, entries } of seals) {
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(longestStoreMs)]);
      await this.#anchor.store({ checkpoint, entries }, signal);
      await this.#seals.recordAnchored(name, number);
      this.#anchored = number;
      this.#failure = null;
    }
    return seals.length > 0;
  }

  #failed(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#failures.anchorFailed(this.#anchor.name);
    // One report for each outage: the health check shows that it lasts.
    if (this.#failure === null) this.#failures.report(error);
    this.#failure = error instanceof Error ? error.message : String(error);
  }
}
