import type { DigestedEvents, DigestingThread, LogPage, StorageSeals } from '../storage/index.js';
import { digestNext } from './digest-next.js';
import type { Frontier } from './merkle-tree.js';

/** How many events are digested before other work of the process gets its turn: some milliseconds. */
export const eventsPerTurn = 500;

/** How long no thread is started after one has failed. */
const afterFailureMs = 60_000;

export interface DigesterParts {
  readonly seals: Pick<StorageSeals, 'startThread'>;
  /** The events after one with a sequence number, in pages of at most `eventsPerTurn`. Other work gets its turn between them. */
  readonly readLog: (afterSequence: number) => AsyncIterable<LogPage>;
  readonly report: (error: unknown) => void;
}

/**
 * Digests the events that are not sealed. With more events than fit into a turn, it starts a thread and lets it do this from then on. A quiet service
 * needs neither the thread nor its connection. If the thread fails, the events are digested here.
 */
export class EventDigester {
  readonly #parts: DigesterParts;
  readonly #now: () => number;
  #thread: DigestingThread | null = null;
  #startsAfter = -Infinity;

  constructor(parts: DigesterParts, now: () => number = () => performance.now()) {
    this.#parts = parts;
    this.#now = now;
  }

  /** The events after one with a sequence number. `before` is the frontier of those up to it. Null: there is nothing to seal. */
  async next(sequence: number, before: Frontier): Promise<DigestedEvents | null> {
    if (this.#thread === null) return await this.#digest(sequence, before);
    try {
      return await this.#thread.digest({ sequence, size: before.size, frontier: before.bytes });
    } catch (error) {
      await this.close();
      this.#startsAfter = this.#now() + afterFailureMs;
      const events = await this.#digest(sequence, before);
      this.#parts.report(error);
      return events;
    }
  }

  /** Ends the thread. The next events are digested here. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.close();
  }

  async #digest(sequence: number, before: Frontier): Promise<DigestedEvents | null> {
    const events = await digestNext({ pages: this.#parts.readLog(sequence), pageSize: eventsPerTurn }, before);
    if (events !== null && events.size - before.size > eventsPerTurn) await this.#start();
    return events;
  }

  async #start(): Promise<void> {
    if (this.#now() < this.#startsAfter) return;
    this.#thread = (await this.#parts.seals.startThread?.()) ?? null;
    // Where there can be no thread now, there can be none later.
    if (this.#thread === null) this.#startsAfter = Infinity;
  }
}
