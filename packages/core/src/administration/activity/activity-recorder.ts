import type { CommandObserver } from '../../dispatch/index.js';
import { libraryVersion } from '../../migrations/index.js';
import type { CommandCounts, HostActivity, StorageHosts } from '../../storage/index.js';
import { CommandMeter } from './command-meter.js';

/** What a host records about itself. */
export interface ActivityOptions {
  /** The version of the service, at most 200 characters. Default: unknown. */
  readonly version?: string | null;
  /** How often the host records, in milliseconds: 1,000, 2,000, 5,000 or 10,000. Default: 10,000. */
  readonly everyMs?: number;
}

export interface RecorderParts {
  readonly hosts: StorageHosts;
  /** Observes the commands of this host in this database. */
  readonly observe: (observer: CommandObserver) => void;
  /** The time of the database, in milliseconds since 1970. */
  readonly now: () => number;
  /** Runs work of the host in this database. */
  readonly runAsHost: <T>(action: () => T) => T;
  readonly report: (error: unknown) => void;
}

const defaultEveryMs = 10_000;
/** Readers add up the activity of 10 seconds, which must be whole intervals. */
const intervals: readonly number[] = [1_000, 2_000, 5_000, 10_000];
export const retainMs = 60 * 60 * 1000;
/** Hosts record in the first part of the next interval, each at another time. */
const latestPart = 1 / 10;

/** Records the commands of this host in one database, interval by interval. Intervals that could not be recorded are recorded later. */
export class ActivityRecorder {
  readonly #parts: RecorderParts;
  #described: Pick<HostActivity, 'version' | 'library' | 'startedAt' | 'everyMs'> | null = null;
  /** The beginning of the current interval. */
  #at = 0;
  #waiting: HostActivity[] = [];
  #recording: Promise<void> = Promise.resolve();
  readonly #meter = new CommandMeter();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** Starts to record. Has no effect if it has started. */
  start({ version = null, everyMs = defaultEveryMs }: ActivityOptions): void {
    if (this.#described !== null || this.#isStopped) return;
    const { observe, now } = this.#parts;
    this.#described = { version, library: libraryVersion, startedAt: Math.round(now()), everyMs };
    this.#at = this.#currentInterval(everyMs);
    observe(this.#meter);
    // At once, so that operators see the host. The complete interval replaces it.
    this.#record({ commands: 0, rejected: 0, failed: 0, durations: {} });
    this.#next(everyMs);
  }

  /** Records what is left, and removes this host from the list. */
  async stop(): Promise<void> {
    const isRecording = this.#described !== null && !this.#isStopped;
    this.#isStopped = true;
    clearTimeout(this.#timer);
    if (!isRecording) return await this.#recording;
    this.#record(this.#meter.take());
    await this.#recording;
    // Otherwise, it is gone after the next intervals.
    await this.#parts.runAsHost(() => this.#parts.hosts.leave()).catch(() => {});
  }

  #next(everyMs: number): void {
    const untilEnd = this.#at + everyMs - this.#parts.now();
    // The clock of the database may have been changed.
    const bounded = Math.min(Math.max(untilEnd, 0), everyMs);
    this.#timer = setTimeout(() => this.#ended(everyMs), bounded + everyMs * latestPart * Math.random());
    this.#timer.unref();
  }

  #ended(everyMs: number): void {
    this.#record(this.#meter.take());
    // Never an earlier interval, whose record it would replace.
    this.#at = Math.max(this.#at + everyMs, this.#currentInterval(everyMs));
    this.#next(everyMs);
  }

  #currentInterval(everyMs: number): number {
    return Math.floor(this.#parts.now() / everyMs) * everyMs;
  }

  #record(counts: CommandCounts): void {
    this.#waiting.push({ ...this.#described!, at: this.#at, ...counts });
    const oldest = this.#at - retainMs;
    this.#waiting = this.#waiting.filter(({ at }) => at >= oldest);
    this.#recording = this.#recording.then(() => this.#send());
  }

  async #send(): Promise<void> {
    const { hosts, runAsHost, report } = this.#parts;
    try {
      for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
        const activity = first;
        await runAsHost(() => hosts.record(activity, retainMs));
        this.#waiting = this.#waiting.filter((one) => one !== activity);
      }
    } catch (error) {
      report(error);
    }
  }
}

/** Throws if the options are not valid. */
export function requireValidActivity({ version, everyMs = defaultEveryMs }: ActivityOptions): void {
  if (version !== null && version !== undefined && version.length > 200) {
    throw new RangeError(`The version of a service has at most 200 characters, not ${version.length}.`);
  }
  if (!intervals.includes(everyMs)) {
    throw new RangeError(`everyMs must be one of ${intervals.join(', ')}, not ${everyMs}.`);
  }
}
