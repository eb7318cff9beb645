import { ValidationError, type Service } from '@svc/core';
import { commandGate, type IdempotentRequests, type ReadyEndpoint } from '@svc/core/hosting';
import { Issues, type Reader } from '@svc/core/json';
import { forbidSniffing } from '../browser-headers.js';
import type { HostReply } from '../host.js';
import { requestOf, type HttpRequest } from '../http-request.js';
import { idempotencyKeyOf } from '../idempotency-key.js';
import type { Route } from './route.js';

/** The POST routes of all endpoints. */
export function commandRoutes<TServices extends object>(service: Service<TServices>): readonly Route[] {
  const { access, endpoints, idempotentRequests } = service;
  return endpoints.flatMap((endpoint) => {
    const { restRoute } = endpoint;
    if (restRoute === null || restRoute === '') return [];
    return [
      {
        method: 'POST' as const,
        path: restRoute,
        gate: commandGate(endpoint, access),
        readBody: bodyReaderOf(endpoint.readRequest),
        handle: commandHandler(endpoint, idempotentRequests),
      },
    ];
  });
}

function commandHandler(ready: ReadyEndpoint, idempotent: IdempotentRequests): Route['handle'] {
  const { endpoint, writeResult } = ready;
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
          sent: JSON.parse(svcRequest.sentText ?? 'null') as unknown,
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

function bodyReaderOf<T>(read: Reader<T>): (body: unknown) => T {
  return (body) => {
    const issues = new Issues(body);
    const value = read(body, issues);
    if (issues.count > 0) throw new ValidationError(issues.list);
    return value;
  };
}
