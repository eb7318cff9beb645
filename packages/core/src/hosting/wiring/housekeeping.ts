import type { Expiry, Storage } from '../../storage/index.js';
import { idempotencyKeyAgeMs } from '../requests/idempotent-requests.js';

const day = 24 * 60 * 60 * 1000;

/** How long the ids of received messages are retained by default: longer than brokers retain an unprocessed message. */
export const defaultReceivedMs = 14 * day;

/** How long the requests of operators are retained. */
const operationsMs = 30 * day;

const pauseMs = 10 * 60 * 1000;
const batchSize = 500;
/** The pause between two batches, so that other work can proceed. */
const betweenBatchesMs = 100;

/** Deletes expired records: periodically, in small batches, on one host at a time, and without keeping the process alive. */
export class Housekeeping {
  readonly #storage: Storage;
  readonly #expiry: Expiry;
  readonly #report: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(storage: Storage, receivedMs: number, report: (error: unknown) => void) {
    this.#storage = storage;
    this.#expiry = { receivedMs, idempotencyKeysMs: idempotencyKeyAgeMs, operationsMs };
    this.#report = report;
  }

  /** Starts after a random delay, so that hosts do not collide. */
  start(): void {
    this.#next(pauseMs * (0.5 + Math.random()));
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #next(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#clean(), ms);
    this.#timer.unref();
  }

  async #clean(): Promise<void> {
    try {
      const forgotten = await this.#storage.forgetExpired(this.#expiry, batchSize);
      this.#next(forgotten >= batchSize ? betweenBatchesMs : pauseMs * (0.5 + Math.random()));
    } catch (error) {
      if (!this.#stopped) this.#report(error);
      this.#next(pauseMs);
    }
  }
}
