import { unknownVersion } from '../../messages/index.js';
import type { Uuid } from '../../json/index.js';
import type { OperatedPerspectives } from '../../operations/index.js';
import type { EventLog, StorageLeases } from '../../storage/index.js';

const pauseMs = 30_000;
/** How many streams of a perspective are looked at before the next pause: hosts of the earlier version look at all of them in vain. */
const mostStreams = 500;
/** The pause if more streams are waiting. */
const shortPauseMs = 100;
const lane = 'resuming streams';

export interface ResumingParts {
  readonly perspectives: OperatedPerspectives & { readonly names: readonly string[] };
  readonly log: EventLog;
  readonly leases: StorageLeases;
  readonly report: (error: unknown) => void;
}

/**
 * Resumes streams at which a perspective has stopped because its host was too old for an event. During a rolling update, hosts of the earlier version also
 * process what hosts of the new one have stored.
 */
export class ResumingStreams {
  readonly #parts: ResumingParts;
  /** By perspective, which of its waiting streams is looked at next. */
  readonly #next = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: ResumingParts) {
    this.#parts = parts;
  }

  /** Looks at once, and then now and then. */
  start(): void {
    if (this.#parts.perspectives.names.length > 0) void this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const { perspectives, report } = this.#parts;
    let areMore = false;
    try {
      for (const name of perspectives.names) if (!this.#isStopped && (await this.#resume(name))) areMore = true;
    } catch (error) {
      if (!this.#isStopped) report(error);
    }
    if (this.#isStopped) return;
    // Hosts that started together look at different times.
    const ms = areMore ? shortPauseMs : pauseMs * (0.5 + Math.random());
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  /** Returns whether there are more streams to look at. */
  async #resume(name: string): Promise<boolean> {
    const { perspectives, leases } = this.#parts;
    const waiting = (await perspectives.readStopped(name)).filter(({ errorName }) => errorName === unknownVersion);
    // Others of them each time: the first ones may need an even later version.
    const next = this.#next.get(name) ?? 0;
    const from = next < waiting.length ? next : 0;
    this.#next.set(name, from + mostStreams);
    const streams: Uuid[] = [];
    for (const { streamId, eventId } of waiting.slice(from, from + mostStreams)) {
      if (await this.#canRead(eventId)) streams.push(streamId);
    }
    if (streams.length === 0 || !(await perspectives.canRebuild(name)) || !(await leases.hold(lane))) return false;
    try {
      await perspectives.rebuild(name, { streams });
    } finally {
      await leases.release(lane);
    }
    return waiting.length > mostStreams;
  }

  async #canRead(eventId: Uuid): Promise<boolean> {
    const { log } = this.#parts;
    const record = await log.findRecord(eventId);
    if (record === null) return false;
    try {
      log.toEvent(record);
      return true;
    } catch {
      return false;
    }
  }
}
