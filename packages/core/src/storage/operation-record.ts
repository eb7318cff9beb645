/** What an operator asks of a running service. The request waits in the database for a host, which says there how it goes. */
import type { Uuid } from '../json/index.js';

export const OperationState = {
  Waiting: 'waiting',
  Running: 'running',
  /** A host runs it, and is to give it up. */
  Cancelling: 'cancelling',
  Done: 'done',
  Failed: 'failed',
  Cancelled: 'cancelled',
  /** No host took it in time, and none does any more. */
  Expired: 'expired',
} as const;
export type OperationState = (typeof OperationState)[keyof typeof OperationState];

export interface OperationRequest {
  /** Ids ascend with time. */
  readonly id: Uuid;
  /** What is asked for, such as `perspectives.rebuild`. */
  readonly kind: string;
  /** What it is about, such as the name of a perspective; null: nothing that only some hosts know. */
  readonly target: string | null;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly requestedBy: string;
}

export interface OperationAsking {
  /** How long it waits for a host. */
  readonly waitMs: number;
  /** Whether it is refused while there is another of its kind and target that has not ended. */
  readonly isAlone: boolean;
}

export interface OperationRecord extends OperationRequest {
  readonly state: OperationState;
  /** Milliseconds since 1970, as are the other times. */
  readonly requestedAt: number;
  /** When a host first took it. */
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** Whether a host runs it that has said so lately. */
  readonly isHeld: boolean;
  /** How many hosts took it, those aside that gave it back. */
  readonly attempts: number;
  /** How far it is, and what came of it: JSON values. */
  readonly progress: unknown;
  readonly result: unknown;
  readonly error: string | null;
}

/** How a request ended. */
export interface OperationEnd {
  readonly state: typeof OperationState.Done | typeof OperationState.Failed | typeof OperationState.Cancelled;
  readonly result: unknown;
  readonly error: string | null;
}
