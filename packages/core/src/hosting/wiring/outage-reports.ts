import { ServiceError, withoutStack } from '../../errors/index.js';
import { StorageUnavailableError, type StorageConnection } from '../../storage/index.js';

/** How often an outage is reported again while it lasts, and how often svc asks whether it is over. */
const defaultTimes = { repeatMs: 60_000, askMs: 1_000 };

type Report = (error: unknown) => void;

/**
 * Reports an outage of a database once when it begins, once per minute while it lasts, and once when it is over. Each part of a service tries again
 * and again, and each failure would be a report. Without a connection to ask, the end is unknown, and every failure is reported.
 */
export class OutageReports {
  readonly #connection: StorageConnection | undefined;
  readonly #times: typeof defaultTimes;
  #since: number | null = null;
  #reported = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(connection: StorageConnection | undefined, times: Partial<typeof defaultTimes> = {}) {
    this.#connection = connection;
    this.#times = { ...defaultTimes, ...times };
  }

  /** The reports of one part, without those of an outage that is known. */
  through(report: Report): Report {
    return (error) => {
      if (this.#connection === undefined || this.#stopped || !isOutage(error)) return report(error);
      const now = performance.now();
      if (this.#since !== null && now - this.#reported < this.#times.repeatMs) return;
      this.#reported = now;
      if (this.#since === null) {
        this.#since = now;
        this.#askSoon(report);
      }
      report(error);
    };
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #askSoon(report: Report): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#ask(report), this.#times.askMs);
    this.#timer.unref();
  }

  async #ask(report: Report): Promise<void> {
    try {
      await this.#connection!.ping();
    } catch {
      return this.#askSoon(report);
    }
    if (this.#stopped || this.#since === null) return;
    const seconds = Math.round((performance.now() - this.#since) / 1000);
    this.#since = null;
    report(
      withoutStack(new ServiceError('SVC_STORAGE_AVAILABLE', `The database is available again, after ${seconds} s.`)),
    );
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof StorageUnavailableError && error.reason === 'unreachable';
}
