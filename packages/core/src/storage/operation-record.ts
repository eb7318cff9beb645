/** Operations that an operator requests of a running service. A request waits in the database for a host, which records its progress there. */
import type { Uuid } from '../json/index.js';

/** Where an operation is between its request and its end. */
export const OperationState = {
  Waiting: 'waiting',
  Running: 'running',
  /** A host runs it and must stop. */
  Cancelling: 'cancelling',
  Done: 'done',
  Failed: 'failed',
  Cancelled: 'cancelled',
  /** No host started it in time, and none will. */
  Expired: 'expired',
} as const;
/** One of the states of an operation. */
export type OperationState = (typeof OperationState)[keyof typeof OperationState];

/** An operation that an operator requests. */
export interface OperationRequest {
  /** Ids ascend with time. */
  readonly id: Uuid;
  /** What to do, such as `perspectives.rebuild`. */
  readonly kind: string;
  /** What to do it with, such as the name of a perspective; null: any host can run it. */
  readonly target: string | null;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly requestedBy: string;
}

/** The conditions of a request. */
export interface OperationAsking {
  /** How long it waits for a host. */
  readonly waitMs: number;
  /** Whether it is rejected while another operation of its kind and target has not ended. */
  readonly isAlone: boolean;
}

/** A requested operation as it is stored, with its state. */
export interface OperationRecord extends OperationRequest {
  readonly state: OperationState;
  /** Milliseconds since 1970, as are the other times. */
  readonly requestedAt: number;
  /** When a host first started it. */
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** Whether a host holds its lease. */
  readonly isHeld: boolean;
  /** How many hosts have started it, except those that returned it. */
  readonly attempts: number;
  /** Its progress and its result: JSON values. */
  readonly progress: unknown;
  readonly result: unknown;
  readonly error: string | null;
}

/** How an operation ended. */
export interface OperationEnd {
  readonly state: typeof OperationState.Done | typeof OperationState.Failed | typeof OperationState.Cancelled;
  readonly result: unknown;
  readonly error: string | null;
}
