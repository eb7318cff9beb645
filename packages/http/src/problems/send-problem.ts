import { loggedError } from '@svc/core/hosting';
import { forbidSniffing } from '../browser-headers.js';
import { pathOf, type HostReply, type HostRequest } from '../host.js';
import { traceField, traceIdOf } from '../trace-id.js';
import type { Problem } from './problem.js';

/** The problem of one request, as the caller receives it. */
export interface ProblemDocument extends Problem {
  /** The path of the request. */
  readonly instance: string;
  /** The id of the request in the log. */
  readonly traceId: string;
}

/** Longer paths are truncated: `instance` identifies the request and need not repeat all of it. */
const longestInstance = 1000;

/** Logs the error and sends its problem. Headers that are already set, such as `Retry-After`, stay. */
export function sendProblem(request: HostRequest, reply: HostReply, problem: Problem, error?: unknown): void {
  const document = reportProblem(request, reply, problem, error);
  reply.code(problem.status).send(JSON.stringify(document));
}

/** Logs the error and prepares `reply` for its problem, which the calling function sends. */
export function reportProblem(
  request: HostRequest,
  reply: HostReply,
  problem: Problem,
  error?: unknown,
): ProblemDocument {
  const { type, title, status, detail, errors, reason } = problem;
  const instance = pathOf(request).slice(0, longestInstance);
  const traceId = traceIdOf(request, error);
  const cause = error === undefined ? { detail } : { err: loggedError(error) };
  const fields = {
    ...cause,
    ...traceField(request.id, traceId),
    problem: type,
    method: request.method,
    path: instance,
  };
  // Without an error the host rejects requests on purpose, for instance while it is drained.
  if (status >= 500 && error !== undefined) request.log.error(fields, 'request failed');
  else request.log.info(fields, 'request rejected');
  reply.header('content-type', 'application/problem+json; charset=utf-8');
  // A cache could store a 404 and send it to another caller.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  forbidSniffing(reply);
  const document = { type, title, status, detail, instance, traceId, ...(reason !== undefined && { reason }) };
  return errors === undefined ? document : { ...document, errors };
}
