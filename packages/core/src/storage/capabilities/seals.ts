import type { LogPlace } from '../log-place.js';
import type { LogPage } from '../log-page.js';
import type { OutgoingRecord } from '../outgoing-record.js';

/** A checkpoint of the log, and what is needed to continue and to verify it. */
export interface SealRecord {
  /** Counts from 1. */
  readonly number: number;
  /** How many events of the log it covers. */
  readonly size: number;
  /** The sequence number of the last event that it covers. */
  readonly lastSequence: number;
  /** The signed checkpoint, as canonical JSON. */
  readonly checkpoint: string;
  /** The complete subtrees of the Merkle tree: what adding events needs of it. */
  readonly frontier: Uint8Array;
  /** What is stored of each event since the previous seal. */
  readonly entries: Uint8Array;
}

/** A seal without what it stores of each event. */
export type SealHead = Omit<SealRecord, 'entries'>;

/** Events after the last seal, and what the next seal needs of them. */
export interface DigestedEvents {
  /** When the first of them was created, in milliseconds since 1970. */
  readonly oldest: number;
  /** The place of the last one. */
  readonly last: LogPlace;
  /** How many events of the log `frontier` covers. */
  readonly size: number;
  readonly frontier: Uint8Array;
  readonly entries: Uint8Array;
}

/** A thread that reads and digests events over a connection of its own, so that commands do not wait for this work. */
export interface DigestingThread {
  /** Digests the events after one with a sequence number. Null: there are none, or only reports of seals. */
  digest(after: {
    readonly sequence: number;
    readonly size: number;
    readonly frontier: Uint8Array;
  }): Promise<DigestedEvents | null>;
  close(): Promise<void>;
}

/**
 * The capability `seals`: checkpoints of the log, which only grow.
 *
 * Without it, a service with seals does not start.
 */
export interface StorageSeals {
  /** The last seal; null: there is none. */
  readLast(): Promise<SealHead | null>;
  /** The seals after one with a number, in their order; 0: all. At most `limit`. */
  read(after: number, limit: number): Promise<readonly SealRecord[]>;
  /**
   * Stores a seal and queues messages, durably and in one transaction. False: a seal with this number is stored, or the previous one is not, and
   * nothing is stored.
   */
  append(seal: SealRecord, outgoing: readonly OutgoingRecord[]): Promise<boolean>;
  /**
   * The events after one with a sequence number, in the order of `readAll` and with the same promises, in pages of at most `size`. A page has bytes
   * where the storage can supply them. Other work of the process gets its turn between the pages. Absent: `readAll` is used.
   */
  readLog?(afterSequence: number, size: number): AsyncIterable<LogPage>;
  /** Starts a thread that digests events. Null: this process cannot, for example because it runs a bundle. Absent: the storage never can. */
  startThread?(): Promise<DigestingThread | null>;
  /** The number of the last seal that each anchor has received. */
  readAnchored(): Promise<ReadonlyMap<string, number>>;
  /** Records that an anchor has received the seals up to a number. Never goes back. */
  recordAnchored(anchor: string, number: number): Promise<void>;
}
