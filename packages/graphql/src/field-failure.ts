import { loggedError } from '@svc/core/hosting';
import { traceField } from '@svc/http/hosting';
import { callerFailure, FieldError, type CallerFailure } from './errors/index.js';
import type { RequestContext } from './request-context.js';

type FieldKind = 'mutation' | 'query' | 'subscription';

/** Logs an error and returns what a resolver throws: the part that the caller may see. */
export function fieldFailure(error: unknown, what: FieldKind, request: RequestContext): FieldError {
  const failure = callerFailure(error);
  const traceId = request.traceIdOf(error);
  report(error, failure, what, request, traceId);
  return new FieldError(failure, traceId);
}

function report(
  error: unknown,
  { code }: CallerFailure,
  what: FieldKind,
  { http, log, id }: RequestContext,
  traceId: string,
): void {
  const fields = { err: loggedError(error), ...traceField(id, traceId) };
  const isOurs = code === 'INTERNAL_ERROR' || code === 'UNAVAILABLE';
  if (http.aborted) {
    // A command aborted because its client disconnected is normal; a failure is not.
    const isAbort = error instanceof Error && error.name === 'AbortError';
    log[isOurs && !isAbort ? 'error' : 'info'](fields, 'the client disconnected before the response');
  } else if (isOurs) {
    log.error(fields, `${what} failed`);
  } else {
    log.info({ ...fields, code }, `${what} rejected`);
  }
}
