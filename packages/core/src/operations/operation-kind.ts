/** What operators can ask a running service for, and what stands in the requests and their answers. */
import type { Uuid } from '../json/index.js';
import type { RebuildMode } from '../system-events/index.js';
import type { DeadLetterCause, DeadLetterRecord, StoppedStream } from '../storage/index.js';

export const OperationKind = {
  /** Makes a perspective anew; its name is the target. Answers with a `RebuildResult`. */
  RebuildPerspective: 'perspectives.rebuild',
  /** Has a perspective, the target, go on with streams it stopped at. */
  RetryStreams: 'perspectives.retry',
  ReplayDeadLetters: 'dead-letters.replay',
  DiscardDeadLetter: 'dead-letters.discard',
} as const;
export type OperationKind = (typeof OperationKind)[keyof typeof OperationKind];

export interface RebuildArguments {
  readonly mode?: RebuildMode;
  readonly streams?: readonly Uuid[];
  readonly eventsPerSecond?: number;
}

export interface RetryArguments {
  /** Absent: all streams at which it stopped. */
  readonly stream?: Uuid;
}

export interface RetryResult {
  /** How many go on. */
  readonly resumed: number;
  /** Those at which it stopped again, the first of them. */
  readonly stopped: readonly StoppedStream[];
  readonly stoppedTotal: number;
}

export interface ReplayArguments {
  /** Absent: all there are when the replay begins. */
  readonly deadLetter?: Uuid;
  readonly direction?: DeadLetterRecord['direction'];
  /** Absent: of any cause. */
  readonly cause?: DeadLetterCause;
}

export interface ReplayResult {
  readonly replayed: number;
  /** Those that could not be replayed, the first of them. */
  readonly failed: readonly { readonly id: Uuid; readonly error: string }[];
  readonly failedTotal: number;
}

/** One of them, or all that have a cause when the operation begins. */
export type DiscardArguments = ({ readonly deadLetter: Uuid } | { readonly cause: DeadLetterCause }) & {
  readonly reason: string;
};

export interface DiscardResult {
  readonly discarded: number;
}

/** How far an operation is. */
export interface OperationProgress {
  /** What is counted. */
  readonly unit: 'streams' | 'dead letters';
  readonly done: number;
  readonly total: number;
  /** How many events were replayed, where that is what takes the time. */
  readonly events?: number;
}

/** How many failures an answer lists; it counts them all. */
export const mostListed = 20;
