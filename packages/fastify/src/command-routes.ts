import { ValidationError, type Authenticator, type Service } from '@svc/core';
import { commandGate, loggedError, type IdempotentRequests, type ReadyEndpoint } from '@svc/core/hosting';
import { Issues, type Reader } from '@svc/core/json';
import { forbidSniffing, idempotencyKeyOf, requestOf, requestProperty, traceIdOf, type HttpRequest } from '@svc/http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { challenge, restrictingHooks, type RestrictingHooks } from './access/index.js';
import { acceptJsonOnly } from './json-body.js';
import {
  headersOf,
  problemOfCommand,
  problemOfRequest,
  problemUrn,
  sendProblem,
  type Problem,
} from './problems/index.js';

/** Adds the POST routes of all endpoints and returns their paths. */
export function addCommandRoutes<TServices extends object>(
  app: FastifyInstance,
  service: Service<TServices>,
  bodyLimit: number,
): readonly string[] {
  if (!app.hasRequestDecorator(requestProperty)) app.decorateRequest(requestProperty, null);
  acceptJsonOnly(app, bodyLimit);
  answerWithProblems(app, service.access.authenticators);
  const paths: string[] = [];
  for (const endpoint of service.endpoints) {
    if (endpoint.restRoute === null || endpoint.restRoute === '') continue;
    const restricting = restrictingHooks(service, commandGate(endpoint, service.access));
    addCommandRoute(app, endpoint, endpoint.restRoute, restricting, service.idempotentRequests);
    paths.push(app.prefix + endpoint.restRoute);
  }
  return paths;
}

/** The default of `Retry-After`: a restarted database is usually available again by then. */
const retryAfterSeconds = '2';
/** That of a conflict: the command that was first has ended. */
const retryConflictSeconds = '1';

function addCommandRoute(
  app: FastifyInstance,
  ready: ReadyEndpoint,
  url: string,
  restricting: RestrictingHooks,
  idempotent: IdempotentRequests,
): void {
  const { endpoint, readRequest, writeResult } = ready;
  app.post(
    url,
    {
      ...restricting,
      // Fastify calls a validator only for a schema; ours reads what the endpoint declares.
      schema: { body: {} },
      validatorCompiler: () => validatorOf(readRequest),
    },
    async (request, reply) => {
      const svcRequest = requestOf(request);
      svcRequest.headers = request.headers;
      svcRequest.begin();
      try {
        const key = idempotencyKeyOf(request);
        if (key !== undefined) {
          const keyed = {
            key,
            message: request.body as object,
            sent: JSON.parse(svcRequest.sentText ?? 'null') as unknown,
          };
          const { text, isReplayed } = await idempotent.handle(ready, keyed, svcRequest);
          if (isReplayed) reply.header('idempotency-replayed', 'true');
          prepareResult(reply, svcRequest);
          return text;
        }
        const result = await endpoint.handle(request.body, svcRequest);
        // Serialized here: Fastify does not call its serializer for strings, undefined and buffers.
        const text = writeResult(result);
        prepareResult(reply, svcRequest);
        return text;
      } catch (error) {
        svcRequest.commandFailed = true;
        throw error;
      } finally {
        svcRequest.end();
      }
    },
  );
}

function prepareResult(reply: FastifyReply, { lastEventId }: HttpRequest): void {
  // The event to wait for when reading the effects of the command: `GET /orders?afterEvent=<id>`.
  if (lastEventId !== undefined) reply.header('svc-last-event', lastEventId);
  reply.type('application/json; charset=utf-8');
  forbidSniffing(reply);
}

function validatorOf<T>(read: Reader<T>): (body: unknown) => { value: T } | { error: Error } {
  return (body) => {
    const issues = new Issues(body);
    const value = read(body, issues);
    return issues.count === 0 ? { value } : { error: new ValidationError(issues.list) };
  };
}

function answerWithProblems(app: FastifyInstance, authenticators: readonly Authenticator[]): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const { commandFailed, isGone } = requestOf(request);
    const problem = commandFailed ? problemOfCommand(error) : problemOfRequest(error);
    if (isGone) {
      // A command aborted because its client disconnected is normal; a failure is not.
      const level = problem.status < 500 || isAbort(error) ? 'info' : 'error';
      request.log[level](
        { err: loggedError(error), traceId: traceIdOf(request, error) },
        'the client disconnected before the response',
      );
      reply.hijack();
      return;
    }
    // Fastify sets Connection: close if a body could not be read; HTTP/2 has no such header.
    if (request.raw.httpVersionMajor === 2) reply.removeHeader('connection');
    const retryAfter = retryAfterOf(problem);
    if (retryAfter !== null && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfter);
    if (problem.status !== 500) reply.headers(headersOf(error));
    challenge(reply, error, authenticators);
    sendProblem(request, reply, problem, error);
  });
}

/** Null: repeating the request would not help. */
function retryAfterOf({ status, type }: Problem): string | null {
  if (type === problemUrn('concurrency-conflict')) return retryConflictSeconds;
  return status === 503 || type === problemUrn('idempotency-key-in-use') ? retryAfterSeconds : null;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
