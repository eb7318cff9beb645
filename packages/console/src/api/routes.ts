import { permission, ScopeFilters, ValidationError, type Issue, type Service } from '@svc/core';
import type { Gate } from '@svc/core/hosting';
import { forbidSniffing, queryOf, requestOf, restrictBrowser, type Route } from '@svc/http/hosting';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { Download } from './download.js';
import { openApiOf } from './openapi.js';
import type { Operation, Settings } from './operation.js';
import { typedQuery } from './typed-query.js';

const base = '/console/api';

/** The routes of the API, and its description. */
export function apiRoutes<TServices extends object>(
  service: Service<TServices>,
  operations: readonly Operation[],
  settings: Settings,
): readonly Route[] {
  return [
    ...operations.map((operation) => routeOf(service as Service, operation, settings)),
    openApiRoute(operations, settings.title),
  ];
}

function routeOf(service: Service, operation: Operation, settings: Settings): Route {
  const { method, path, right, params, query, body, answer } = operation;
  return {
    method,
    path: base + path,
    gate: right === null ? null : gates[right],
    readBody: body === null ? null : (value) => checked(body, value),
    handle: async (request, reply) => {
      const svcRequest = requestOf(request);
      svcRequest.begin();
      try {
        const call = {
          service,
          ...settings,
          params: checked(params, request.params),
          query: checked(query, typedQuery(query, queryOf(request))),
          body: request.body as never,
          signal: svcRequest.signal,
        };
        const response = await inDatabase(service, call.query, async () => await answer(call));
        if (response instanceof Download) return response.sendTo(reply, svcRequest);
        reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'private, no-store');
        forbidSniffing(reply);
        return JSON.stringify(response);
      } finally {
        svcRequest.end();
      }
    },
  };
}

/** Runs in the database that the query names, if it does. */
async function inDatabase<T>(
  { administration }: Service,
  query: { readonly database?: unknown },
  answer: () => Promise<T>,
): Promise<T> {
  const { database } = query;
  return typeof database === 'string' ? await administration.inDatabase(database, answer) : await answer();
}

/** The value, or a `ValidationError` with every issue. */
function checked<TChecked extends TSchema>(schema: TChecked, value: unknown): Static<TChecked> {
  if (Value.Check(schema, value)) return value;
  throw new ValidationError(
    [...Value.Errors(schema, value)].map(({ instancePath, message }): Issue => ({
      pointer: instancePath,
      detail: message,
    })),
  );
}

function gateOf(needed: 'system:read' | 'system:write'): Gate {
  return { requires: permission(needed), allowAnonymous: false, resourceType: 'console', filter: ScopeFilters.Tenant };
}

const gates = { read: gateOf('system:read'), write: gateOf('system:write') };

/** Describes no data, so it needs no credential, as `/openapi.json` of the service. */
function openApiRoute(operations: readonly Operation[], title: string): Route {
  const text = JSON.stringify(openApiOf(operations, title));
  return {
    method: 'GET',
    path: `${base}/openapi.json`,
    gate: null,
    readBody: null,
    handle: async (_request, reply) => {
      restrictBrowser(reply);
      reply.header('content-type', 'application/json; charset=utf-8');
      return text;
    },
  };
}
