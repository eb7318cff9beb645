import type { Uuid } from '../json/index.js';
import type { EventLog } from '../storage/index.js';
import type { ModelEvents } from './model-events.js';
import { nextTurn } from './next-turn.js';

const recordsPerTurn = 1_000;

/** What there is to replay for a perspective when a rebuild begins, so that it can tell how far it has come. */
export class Census {
  /** The sequence numbers of the events, in order. */
  readonly #events: readonly number[];
  /** The sequence numbers of the last events of the streams, in order. */
  readonly #ends: readonly number[];

  constructor(events: readonly number[], ends: Iterable<number>) {
    this.#events = events;
    this.#ends = [...ends].toSorted((a, b) => a - b);
  }

  static async take(log: EventLog, finder: ModelEvents, signal: AbortSignal | undefined): Promise<Census> {
    const events: number[] = [];
    const ends = new Map<Uuid, number>();
    for await (const record of log.readRecords(-1)) {
      if (record.sequence % recordsPerTurn === 0) await nextTurn();
      signal?.throwIfAborted();
      if (!finder.isWanted(record)) continue;
      events.push(record.sequence);
      ends.set(record.streamId, record.sequence);
    }
    return new Census(events, ends.values());
  }

  get streams(): number {
    return this.#ends.length;
  }

  /** The sequence number of the last event; -1 when there is none. */
  get head(): number {
    return this.#events.at(-1) ?? -1;
  }

  /** How much of it is done once everything up to a sequence number is. */
  upTo(sequence: number): { streams: number; events: number } {
    return { streams: countUpTo(this.#ends, sequence), events: countUpTo(this.#events, sequence) };
  }
}

function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
