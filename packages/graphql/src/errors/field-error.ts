import { type Issue } from '@svc/core';
import { boundedText, failureByCode, commandFailures, type CommandFailure } from '@svc/core/hosting';
import { codesOfStatuses, type GraphQLErrorCode } from './error-codes.js';

/** Thrown by a resolver if a mutation or query fails. It contains only what the caller may see; the log has the rest. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
  readonly extensions: {
    readonly code: GraphQLErrorCode;
    readonly traceId: string;
    readonly errors?: readonly Issue[];
    readonly reason?: string;
  };

  constructor({ code, message, errors, reason }: CallerFailure, traceId: string) {
    super(message);
    const more = { ...(errors !== undefined && { errors }), ...(reason !== undefined && { reason }) };
    this.extensions = { code, traceId, ...more };
  }
}

/** The part of an error that the caller sees. */
export interface CallerFailure {
  readonly code: GraphQLErrorCode;
  readonly message: string;
  readonly errors?: readonly Issue[];
  /** The business rule that rejected a mutation. */
  readonly reason?: string;
}

/** Thrown by a resolver if the fields of a request ask for more than a limit of the service allows. */
export class LimitExceededError extends Error {
  override readonly name = 'LimitExceededError';
}

const codesOfFailures: Readonly<Record<CommandFailure['name'], GraphQLErrorCode>> = {
  'invalid-request': 'INVALID_REQUEST',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  'concurrency-conflict': 'CONCURRENCY_CONFLICT',
  'bad-request': 'BAD_REQUEST',
  'idempotency-key-in-use': 'IDEMPOTENCY_KEY_IN_USE',
  'idempotency-key-reused': 'IDEMPOTENCY_KEY_REUSED',
  'command-rejected': 'COMMAND_REJECTED',
  'event-not-taken': 'EVENT_NOT_TAKEN',
  unavailable: 'UNAVAILABLE',
};

export const internalFailure: CallerFailure = {
  code: 'INTERNAL_ERROR',
  message: 'The service failed to process the request. Its log has the cause under this trace id.',
};

/** The caller sees the same errors as over REST: those with a known code, and those with `expose`. */
export function callerFailure(error: unknown): CallerFailure {
  if (error instanceof LimitExceededError) return { code: 'LIMIT_EXCEEDED', message: error.message };
  const known = failureByCode(error, commandFailures);
  if (known !== undefined) {
    const { name, detail, ...more } = known;
    return { code: codesOfFailures[name], message: detail, ...more };
  }
  return exposedFailure(error) ?? internalFailure;
}

function exposedFailure(error: unknown): CallerFailure | undefined {
  if (!(error instanceof Error) || !('expose' in error) || error.expose !== true) return undefined;
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (typeof status !== 'number' || !Number.isInteger(status)) return undefined;
  if (status === 503) {
    return { code: 'UNAVAILABLE', message: 'The service cannot process the request at the moment. Try again later.' };
  }
  if (status < 400 || status > 499) return undefined;
  return { code: codesOfStatuses[status] ?? 'BAD_REQUEST', message: boundedText(error.message) };
}
