import { BackgroundWorker } from '../background/index.js';
import { isShared, leasesOf } from '../storage/index.js';
import { declaringLane, storeRecurring, type RecurringParts } from './recurring-commands.js';

/** How often a host compares the stored recurring commands with its own. */
export const compareMs = 60_000;

/**
 * Compares the stored recurring commands with those of this host when it starts, and then every minute: the host of another version may have
 * removed some, or may have stopped, so that its own are to be removed.
 */
export class RecurringWorker {
  readonly #parts: RecurringParts;
  readonly #report: (error: unknown) => void;
  readonly #worker: BackgroundWorker;
  readonly #timers: NodeJS.Timeout[] = [];
  /** Whether this host holds the lease of the hosts that declare the same commands. */
  #declares = false;

  constructor(parts: RecurringParts, report: (error: unknown) => void) {
    this.#parts = parts;
    this.#report = report;
    this.#worker = new BackgroundWorker(() => this.#compare(), report);
  }

  /** The storage must be open. */
  start(): void {
    this.#worker.wake();
    const { storage, schedule } = this.#parts;
    if (!isShared(storage)) return;
    this.#timers.push(
      setInterval(() => this.#worker.wake(), compareMs).unref(),
      setInterval(() => this.#renew(), schedule.leaseMs / 3).unref(),
    );
  }

  get isBusy(): boolean {
    return this.#worker.isBusy;
  }

  async idle(): Promise<void> {
    await this.#worker.idle();
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#worker.stop();
  }

  async #compare(): Promise<number | false> {
    if (this.#parts.commands.size > 0) await this.#declare();
    return await storeRecurring(this.#parts);
  }

  async #declare(): Promise<void> {
    const { storage, commands } = this.#parts;
    this.#declares = await leasesOf(storage).hold(declaringLane(commands));
  }

  #renew(): void {
    if (this.#declares) this.#declare().catch(this.#report);
  }
}
