import type { OperationRecord } from '../storage/index.js';
import type { OperationProgress } from './operation-kind.js';

/** The signal of a running operation, and how it reports its progress. */
export interface OperationControl {
  /** Aborts if an operator cancels the operation, the host stops, or another host has taken it over. */
  readonly signal: AbortSignal;
  /** Reports the progress. Call it as often as you like: the latest value is written at intervals. */
  readonly progress: (progress: OperationProgress) => void;
}

/** Runs one kind of operation. It must be idempotent: another host restarts it after its host was lost. */
export interface OperationHandler {
  /** Whether this host can run the operation; otherwise another host does. Absent: every host can. */
  canRun?(operation: OperationRecord): Promise<boolean>;
  /** Runs the operation as the operator. Resolves with its result, which must be JSON. */
  run(operation: OperationRecord, control: OperationControl): Promise<object>;
}
