import { unknownVersion } from '../../messages/index.js';
import type { Uuid } from '../../json/index.js';
import type { OperatedPerspectives } from '../../operations/index.js';
import type { EventLog, StorageLeases } from '../../storage/index.js';

const pauseMs = 30_000;
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
    try {
      for (const name of perspectives.names) if (!this.#isStopped) await this.#resume(name);
    } catch (error) {
      if (!this.#isStopped) report(error);
    }
    if (this.#isStopped) return;
    // Hosts that started together look at different times.
    this.#timer = setTimeout(() => void this.#look(), pauseMs * (0.5 + Math.random()));
    this.#timer.unref();
  }

  async #resume(name: string): Promise<void> {
    const { perspectives, leases } = this.#parts;
    const streams: Uuid[] = [];
    for (const { streamId, eventId, errorName } of await perspectives.readStopped(name)) {
      if (errorName === unknownVersion && (await this.#canRead(eventId))) streams.push(streamId);
    }
    if (streams.length === 0 || !(await perspectives.canRebuild(name)) || !(await leases.hold(lane))) return;
    try {
      await perspectives.rebuild(name, { streams });
    } finally {
      await leases.release(lane);
    }
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
