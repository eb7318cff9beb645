import type { OperationRecord } from '../storage/index.js';
import type { OperationProgress } from './operation-kind.js';

export interface OperationControl {
  /** Gives the operation up: an operator cancelled it, the host stops, or another host has taken it over. */
  readonly signal: AbortSignal;
  /** Says how far it is. Costs nothing: what was said last is written now and then. */
  readonly progress: (progress: OperationProgress) => void;
}

/** Carries out one kind of operation. What is begun again after its host was killed has to come to the same. */
export interface OperationHandler {
  /** Whether this host can; otherwise it is left to others. Absent: every host can. */
  canRun?(operation: OperationRecord): Promise<boolean>;
  /** Answers with the result, which can be written as JSON. Runs as the operator. */
  run(operation: OperationRecord, control: OperationControl): Promise<object>;
}
