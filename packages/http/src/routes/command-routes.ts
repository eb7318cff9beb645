import { ValidationError, type Service } from '@svc/core';
import { commandGate, type IdempotentRequests, type PathParameters, type ReadyEndpoint } from '@svc/core/hosting';
import { Issues, type Reader } from '@svc/core/json';
import { forbidSniffing } from '../browser-headers.js';
import type { HostReply, HostRequest } from '../host.js';
import { requestOf, type HttpRequest } from '../http-request.js';
import { idempotencyKeyOf } from '../idempotency-key.js';
import { addPathValues, type PathValues } from './path-values.js';
import type { Route } from './route.js';

/** The POST routes of all endpoints. */
export function commandRoutes<TServices extends object>(service: Service<TServices>): readonly Route[] {
  const { access, endpoints, idempotentRequests } = service;
  return endpoints.flatMap((endpoint) => {
    const { pathParameters, readRequest, restRoute } = endpoint;
    if (restRoute === null || restRoute === '') return [];
    return [
      {
        method: 'POST' as const,
        path: restRoute,
        owner: `the command ${endpoint.command.name}`,
        gate: commandGate(endpoint, access),
        readBody: bodyReaderOf(readRequest, pathParameters),
        readsPath: pathParameters !== undefined,
        handle: commandHandler(endpoint, idempotentRequests),
      },
    ];
  });
}

function commandHandler(ready: ReadyEndpoint, idempotent: IdempotentRequests): Route['handle'] {
  const { endpoint, pathParameters, writeResult } = ready;
  return async (request, reply) => {
    const svcRequest = requestOf(request);
    svcRequest.headers = request.headers;
    svcRequest.begin();
    try {
      const key = idempotencyKeyOf(request);
      if (key !== undefined) {
        const keyed = {
          key,
          message: request.body as object,
          sent: sentOf(request, svcRequest, pathParameters),
        };
        const { text, isReplayed } = await idempotent.handle(ready, keyed, svcRequest);
        if (isReplayed) reply.header('idempotency-replayed', 'true');
        prepareResult(reply, svcRequest);
        return text;
      }
      const result = await endpoint.handle(request.body, svcRequest);
      const text = writeResult(result);
      prepareResult(reply, svcRequest);
      return text;
    } catch (error) {
      svcRequest.commandFailed = true;
      throw error;
    } finally {
      svcRequest.end();
    }
  };
}

function prepareResult(reply: HostReply, { lastEventId }: HttpRequest): void {
  // The event to wait for when reading the effects of the command: `GET /orders?afterEvent=<id>`.
  if (lastEventId !== undefined) reply.header('svc-last-event', lastEventId);
  reply.header('content-type', 'application/json; charset=utf-8');
  forbidSniffing(reply);
}

/** What identifies a request with an idempotency key: its body, and the values in its path. */
function sentOf({ params }: HostRequest, { sentText }: HttpRequest, parameters: PathParameters | undefined): unknown {
  const body = JSON.parse(sentText ?? 'null') as unknown;
  return parameters === undefined ? body : { body, path: params };
}

function bodyReaderOf<T>(
  read: Reader<T>,
  parameters: PathParameters | undefined,
): (body: unknown, params: PathValues) => T {
  return (body, params) => {
    const issues = new Issues(body);
    if (parameters !== undefined) addPathValues(body, params, parameters, issues);
    const value = read(body, issues);
    if (issues.count > 0) throw new ValidationError(issues.list);
    return value;
  };
}
