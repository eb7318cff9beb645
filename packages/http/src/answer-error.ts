import { ConcurrencyConflictError, type Authenticator } from '@svc/core';
import { loggedError } from '@svc/core/hosting';
import { challenge } from './access/index.js';
import type { HostReply, HostRequest } from './host.js';
import { requestOf } from './http-request.js';
import {
  headersOf,
  problemOfCommand,
  problemOfRequest,
  problemUrn,
  RequestRejected,
  sendProblem,
  type Problem,
} from './problems/index.js';
import { traceIdOf } from './trace-id.js';

/** The default of `Retry-After`: a restarted database is usually available again by then. */
const retryAfterSeconds = '2';
/** That of a conflict: the command that was first has ended. */
const retryConflictSeconds = '1';

/** Sends the problem of an error to the client, with the headers that belong to it. */
export function answerError(
  request: HostRequest,
  reply: HostReply,
  error: unknown,
  authenticators: readonly Authenticator[],
): void {
  const { commandFailed, isGone, isLive } = requestOf(request);
  const problem = commandFailed ? problemOfCommand(error) : problemOfRequest(error);
  if (isGone) {
    // A command or a live query that ends because its client disconnected is normal; a failure is not.
    const isNormal = problem.status < 500 || isAbort(error) || (isLive && isPrematureClose(error));
    const level = isNormal ? 'info' : 'error';
    request.log[level](
      { err: loggedError(error), traceId: traceIdOf(request, error) },
      'the client disconnected before the response',
    );
    reply.hijack();
    return;
  }
  const retryAfter = retryAfterOf(problem, error);
  if (retryAfter !== null && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfter);
  if (problem.status !== 500) {
    for (const [name, value] of Object.entries(headersOf(error))) reply.header(name, value);
  }
  challenge(reply, error, authenticators);
  sendProblem(request, reply, problem, error instanceof RequestRejected ? undefined : error);
}

/** Null: repeating the request would not help. */
function retryAfterOf({ status, type }: Problem, error: unknown): string | null {
  if (type === problemUrn('concurrency-conflict')) return isForGood(error) ? null : retryConflictSeconds;
  return status === 503 || type === problemUrn('idempotency-key-in-use') ? retryAfterSeconds : null;
}

/** A stream that must be new exists, and will not cease to. */
function isForGood(error: unknown): boolean {
  return error instanceof ConcurrencyConflictError && error.expectedPosition === -1;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** What Node reports of a stream whose connection closed before the stream ended. */
function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}
