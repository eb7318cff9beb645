import type { DigestedEvents, LogPage, LogPlace } from '../storage/index.js';
import { EventDigests } from './event-digests.js';
import { hashBytes } from './hashing/hash-batch.js';
import type { Frontier } from './merkle-tree.js';
import { SealEntries } from './seal-entries.js';

/** How many events a checkpoint covers at most. */
export const eventsPerSeal = 10_000;

/** The pages of the log after the last seal. */
export interface UnsealedPages {
  readonly pages: AsyncIterable<LogPage>;
  /** How many events a page has at most. */
  readonly pageSize: number;
}

/**
 * Digests the events of the next seal. `before` is the frontier of the last one. Null: there is nothing to seal. Reports of seals alone are not sealed, or an
 * idle log would grow forever.
 */
export async function digestNext({ pages, pageSize }: UnsealedPages, before: Frontier): Promise<DigestedEvents | null> {
  const frontier = before.copy();
  const entries = new SealEntries();
  let last: LogPlace | null = null;
  let isWorthIt = false;
  let oldest = 0;
  for await (const page of pages) {
    const digests = new EventDigests(page);
    const to = Math.min(digests.count, eventsPerSeal - (frontier.size - before.size));
    frontier.addAll(digests.leaves.subarray(0, to * hashBytes));
    entries.add({ digests, from: 0, to });
    if (last === null) oldest = digests.timestampAt(0);
    last = placeOf(digests, to - 1);
    isWorthIt ||= digests.reports.length < to;
    // The rest of a short page is still being appended: the next seal covers it. Pages of records are short if their events are large.
    const isAtEnd = 'bytes' in page && digests.count < pageSize;
    if (isAtEnd || frontier.size - before.size === eventsPerSeal) break;
  }
  if (last === null || !isWorthIt) return null;
  return { oldest, last, size: frontier.size, frontier: frontier.bytes, entries: entries.bytes };
}

/** The place alone: an event has more properties. */
function placeOf(digests: EventDigests, index: number): LogPlace {
  const { sequence, transaction } = digests.placeAt(index);
  return { sequence, ...(transaction !== undefined && { transaction }) };
}
