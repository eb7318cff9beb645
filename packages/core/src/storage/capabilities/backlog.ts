import type { Uuid } from '../../json/index.js';
import type { DeadLetterCause } from '../dead-letter-record.js';
import type { OutboxLane } from '../outgoing-record.js';

/** The messages that wait in a lane of the outbox. */
export interface OutboxStanding {
  /** Counted up to a limit. */
  readonly waiting: number;
  /** The id of the first of them; null: there is none. */
  readonly first: Uuid | null;
}

/**
 * The capability `backlog`: the database counts what waits in it, at a cost that is limited.
 *
 * Without it, the operator console shows neither the outbox nor the number of dead letters.
 */
export interface StorageBacklog {
  /** The messages that wait in a lane, counted up to `most`, whichever host delivers it. */
  readOutbox(lane: OutboxLane, most: number): Promise<OutboxStanding>;
  /** How many dead letters have each cause. Counts at most `most` dead letters. */
  countDeadLetters(most: number): Promise<ReadonlyMap<DeadLetterCause, number>>;
}
