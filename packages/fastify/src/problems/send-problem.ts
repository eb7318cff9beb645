import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from './problem.js';
import { traceIdOf } from './trace-id.js';

/** Longer paths are cut: `instance` says which request it was, and is no copy of it. */
const longestInstance = 1000;

/** Logs the error and answers with its problem. Headers that are set already, such as `Retry-After`, stay. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem, error?: unknown): void {
  const document = problemDocument(request, problem);
  const { traceId } = document;
  if (problem.status >= 500) request.log.error({ err: error, traceId }, 'request failed');
  else request.log.info({ err: error, traceId }, 'request refused');
  reply.code(problem.status).type('application/problem+json').send(JSON.stringify(document));
}

/** The problem of one request. */
export function problemDocument(
  request: FastifyRequest,
  { type, title, status, detail, errors }: Problem,
): Problem & { instance: string; traceId: string } {
  const instance = pathOf(request).slice(0, longestInstance);
  const traceId = traceIdOf(request.headers['traceparent']);
  const document = { type, title, status, detail, instance, traceId };
  return errors === undefined ? document : { ...document, errors };
}

/** The path of the request without its query. */
export function pathOf(request: FastifyRequest): string {
  const { originalUrl } = request;
  const query = originalUrl.indexOf('?');
  return query === -1 ? originalUrl : originalUrl.slice(0, query);
}
