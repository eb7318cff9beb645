/** Converts what `service.administration` returns to the responses of the API. */
import { hasEnded } from '@svc/core/hosting';
import type { OperationRecord } from '@svc/core/storage';
import type { OperationProgress, RequestedOperation } from '../contract/index.js';

export function time(ms: number): string {
  return new Date(ms).toISOString();
}

export function optionalTime(ms: number | null): string | null {
  return ms === null ? null : time(ms);
}

export function shownOperation(operation: OperationRecord): RequestedOperation {
  const { id, kind, target, state, isHeld, requestedBy, attempts, error } = operation;
  const { reason, ...given } = operation.arguments;
  return {
    id,
    kind,
    target,
    arguments: given,
    state,
    isOpen: !hasEnded(operation),
    isHeld,
    requestedBy,
    reason: typeof reason === 'string' ? reason : null,
    requestedAt: time(operation.requestedAt),
    startedAt: optionalTime(operation.startedAt),
    finishedAt: optionalTime(operation.finishedAt),
    attempts,
    progress: operation.progress as OperationProgress | null,
    result: operation.result,
    error,
  };
}
