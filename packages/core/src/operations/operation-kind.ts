/** The operations that operators can request from a running service, with their arguments and results. */
import type { Uuid } from '../json/index.js';
import type { RebuildMode } from '../system-events/index.js';
import type { DeadLetterCause, DeadLetterRecord, StoppedStream } from '../storage/index.js';

/** The kinds of operations that operators can request. */
export const OperationKind = {
  /** Rebuilds a perspective; its name is the target. The result is a `RebuildResult`. */
  RebuildPerspective: 'perspectives.rebuild',
  /** Retries the streams at which a perspective, the target, has stopped. */
  RetryStreams: 'perspectives.retry',
  ReplayDeadLetters: 'dead-letters.replay',
  DiscardDeadLetter: 'dead-letters.discard',
  /** Erases the personal data of a subject, the target. */
  EraseSubject: 'subjects.erase',
} as const;
export type OperationKind = (typeof OperationKind)[keyof typeof OperationKind];

/** The arguments of a rebuild. */
export interface RebuildArguments {
  readonly mode?: RebuildMode;
  readonly streams?: readonly Uuid[];
  readonly eventsPerSecond?: number;
  /** Whether BlueGreen replaces the serving models although streams failed at which these have not stopped. */
  readonly acceptFailures?: boolean;
}

/** The arguments of a retry. */
export interface RetryArguments {
  /** Absent: all streams at which the perspective has stopped. */
  readonly stream?: Uuid;
}

/** The result of a retry: how many streams resumed, and which stopped again. */
export interface RetryResult {
  /** The number of streams that resumed. */
  readonly resumed: number;
  /** The first streams at which the perspective stopped again. */
  readonly stopped: readonly StoppedStream[];
  readonly stoppedTotal: number;
}

/** The arguments of a replay of dead letters. */
export interface ReplayArguments {
  /** Absent: all dead letters that exist when the replay starts. */
  readonly deadLetter?: Uuid;
  readonly direction?: DeadLetterRecord['direction'];
  /** Absent: any cause. */
  readonly cause?: DeadLetterCause;
  readonly reason?: string;
}

/** The result of a replay of dead letters: how many were replayed, and which failed. */
export interface ReplayResult {
  readonly replayed: number;
  /** The first dead letters that could not be replayed. */
  readonly failed: readonly { readonly id: Uuid; readonly error: string }[];
  readonly failedTotal: number;
}

/** The arguments of discarding dead letters: one of them, or all that have a cause when the operation starts. */
export type DiscardArguments = ({ readonly deadLetter: Uuid } | { readonly cause: DeadLetterCause }) & {
  readonly reason: string;
};

/** The result of discarding dead letters: how many were discarded. */
export interface DiscardResult {
  readonly discarded: number;
}

/** The arguments of erasing a subject. */
export interface EraseArguments {
  readonly reason: string;
}

/** The result of erasing a subject: how many events have its data, what was deleted, and which perspectives were rebuilt. */
export interface EraseResult {
  readonly events: number;
  readonly snapshots: number;
  readonly results: number;
  readonly deadLetters: number;
  readonly perspectives: string[];
}

/** The progress of an operation. */
export interface OperationProgress {
  /** The unit of `done` and `total`. */
  readonly unit: 'streams' | 'dead letters';
  readonly done: number;
  readonly total: number;
  /** The number of replayed events, for operations that replay events. */
  readonly events?: number;
}

/** How many failures a result lists; it counts all of them. */
export const mostListed = 20;
