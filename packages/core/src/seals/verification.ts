import type { Uuid } from '../json/index.js';
import type { LogPage, SealRecord } from '../storage/index.js';
import type { AnchoredCheckpoint } from './anchor.js';
import type { Checkpoint } from './checkpoint.js';
import type { Finding } from './finding.js';
import type { PublicSealKey } from './seal-keys.js';

/** A log and its seals, in a database or an export. */
export interface SealedLog {
  /** All seals after one with a number, in their order. */
  readSeals(after: number): AsyncIterable<SealRecord>;
  /** The number of the last seal that is stored now; 0: there is none. */
  lastSeal(): Promise<number>;
  /** The events after one with a sequence number, in the order of the log. */
  readPages(afterSequence: number): AsyncIterable<LogPage>;
  hasEvent(id: Uuid): Promise<boolean>;
  /** Whether an event can be read, or does not exist. */
  isReadable(id: Uuid): Promise<boolean>;
}

/** Whom a verification trusts, and what it compares. */
export interface VerifyOptions {
  /** The public keys to trust, in addition to those that anchors have. Without both, those of the first checkpoint. */
  readonly keys?: readonly PublicSealKey[];
  readonly anchored?: readonly AnchoredCheckpoint[];
  /** Verifies the checkpoints of this period only. */
  readonly from?: Date;
  readonly to?: Date;
  readonly onProgress?: (events: number, checkpoints: number) => void;
}

/** What a verification has shown. */
export interface Verification {
  /** The first difference; null: the log is as it was sealed. */
  readonly finding: Finding | null;
  /** How many checkpoints and events were verified. */
  readonly checkpoints: number;
  readonly events: number;
  /** How many events follow the last checkpoint. Nothing is proven about them. Null: they were not counted. */
  readonly unsealed: number | null;
  /** The last verified checkpoint; null: there is none. */
  readonly last: Checkpoint | null;
  /** Whether keys were given, or an anchor had them. Otherwise, a log that was sealed again with another key looks the same. */
  readonly isPinned: boolean;
  /** The number of the last checkpoint that an anchor has; null: there is none. */
  readonly anchored: number | null;
}
