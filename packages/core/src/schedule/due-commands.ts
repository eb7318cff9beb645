import { BackgroundWorker, nextTurn } from '../background/index.js';
import type { Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import type { ClaimedCommands, ScheduledCommand, ScheduleStorage } from '../storage/index.js';

/** How many due commands a host runs concurrently. */
const mostAtOnce = 32;

/** A host with a backlog claims more commands once this many places are free. */
const fewestClaimed = mostAtOnce / 2;

/** A command that cannot be claimed although it is due is being claimed by another host: the pause before the next look. */
const contendedMs = 20;

/** The longest time between two looks. */
const longestPauseMs = 60_000;

/** How long `stop` waits for running commands. Another host runs longer ones again, and they take effect once. */
const longestStopMs = 10_000;

/** What `DueCommands` consists of. */
export interface DueCommandsParts {
  readonly schedule: ScheduleStorage;
  /** The types of the commands that this host can run. */
  readonly types: readonly string[];
  /** Runs a command. Resolves with the time after which it can be claimed again; null: it is settled. */
  readonly run: (command: ScheduledCommand, claim: Claim) => Promise<number | null>;
  readonly report: (error: unknown) => void;
}

/** The claim of a host to a command. */
export interface Claim {
  readonly holder: Uuid;
  /** The time of the database, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Claims due commands and runs them concurrently up to a limit. Looks for due commands when it is woken, and when the next command is due; so the
 * number of scheduled commands costs neither time nor memory.
 */
export class DueCommands {
  readonly #parts: DueCommandsParts;
  readonly #worker: BackgroundWorker;
  readonly #holder = newId();
  readonly #running = new Map<Uuid, Promise<void>>();
  #hasBacklog = false;
  #look: NodeJS.Timeout | undefined;
  #lookAt = Infinity;
  #renewal: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: DueCommandsParts) {
    this.#parts = parts;
    this.#worker = new BackgroundWorker(() => this.#claim(), parts.report);
  }

  /** Looks for due commands. */
  wake(): void {
    this.#worker.wake();
  }

  /** Looks for due commands after a time, unless it does so earlier. */
  wakeIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.#stopped || at >= this.#lookAt) return;
    clearTimeout(this.#look);
    this.#lookAt = at;
    this.#look = setTimeout(
      () => {
        this.#lookAt = Infinity;
        this.wake();
      },
      Math.min(ms, longestPauseMs),
    ).unref();
  }

  get isBusy(): boolean {
    return this.#worker.isBusy || this.#running.size > 0;
  }

  /** Resolves once nothing is due. */
  async idle(): Promise<void> {
    while (this.isBusy) {
      await this.#worker.idle();
      await Promise.all(this.#running.values());
    }
  }

  /** Claims nothing more, and waits for running commands up to a limit. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#look);
    await this.#worker.stop();
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      limit = setTimeout(resolve, longestStopMs);
    });
    await Promise.race([Promise.all(this.#running.values()), late]);
    clearTimeout(limit);
    clearInterval(this.#renewal);
  }

  async #claim(): Promise<boolean> {
    if (this.#parts.types.length === 0) return false;
    const free = mostAtOnce - this.#running.size;
    // A command that ends wakes the worker.
    if (free < fewestClaimed && this.#hasBacklog) return false;
    const claimed = await this.#parts.schedule.claim(this.#holder, this.#parts.types, free);
    this.#hasBacklog = claimed.commands.length === free;
    for (const command of claimed.commands) this.#start(command, claimed);
    if (!this.#hasBacklog && claimed.nextInMs !== null) {
      this.wakeIn(claimed.nextInMs === 0 ? contendedMs : claimed.nextInMs);
    }
    // A storage in this process would otherwise not let requests have their turn.
    await nextTurn();
    return false;
  }

  #start(command: ScheduledCommand, { now }: ClaimedCommands): void {
    const { id } = command.message;
    // A claim that was renewed too late: it still runs here.
    if (this.#running.has(id)) return;
    this.#running.set(id, this.#run(command, now));
    this.#renewal ??= setInterval(() => this.#renew(), this.#parts.schedule.leaseMs / 3).unref();
  }

  async #run(command: ScheduledCommand, now: number): Promise<void> {
    try {
      const retryMs = await this.#parts.run(command, { holder: this.#holder, now });
      if (retryMs !== null) this.wakeIn(retryMs);
    } catch (error) {
      this.#parts.report(error);
      this.wakeIn(this.#parts.schedule.leaseMs);
    } finally {
      this.#running.delete(command.message.id);
      if (this.#running.size === 0) {
        clearInterval(this.#renewal);
        this.#renewal = undefined;
      }
      if (this.#hasBacklog) this.wake();
    }
  }

  #renew(): void {
    const { schedule, report } = this.#parts;
    schedule.renew(this.#holder, [...this.#running.keys()]).catch(report);
  }
}
