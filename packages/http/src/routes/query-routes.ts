import { NotFoundError, ValidationError } from '@svc/core';
import { type AccessControl, type PerspectiveQuery } from '@svc/core/hosting';
import { forbidSniffing } from '../browser-headers.js';
import { headersOfRequest } from '../credentials.js';
import { queryOf, type HostReply, type HostRequest } from '../host.js';
import { waiting } from './event-wait.js';
import { readListQuery, unknownParameters } from './list-query.js';
import type { Route } from './route.js';

/** `GET <route>` and `GET <route>/<id>` of every perspective with a route. */
export function queryRoutes(queries: readonly PerspectiveQuery[], access: AccessControl): readonly Route[] {
  return queries.flatMap((query) => {
    const { route } = query.access;
    if (route === null) return [];
    const get = { method: 'GET', owner: `the perspective ${query.name}`, gate: null, readBody: null } as const;
    return [
      { ...get, path: route, handle: (request, reply) => list(query, access, request, reply) },
      { ...get, path: `${route}/:id`, handle: (request, reply) => find(query, access, request, reply) },
    ] satisfies Route[];
  });
}

async function list(
  query: PerspectiveQuery,
  access: AccessControl,
  request: HostRequest,
  reply: HostReply,
): Promise<string> {
  const caller = await access.establish(headersOfRequest(request));
  await query.authorize(caller);
  const { page, pageSize, ...wanted } = readListQuery(queryOf(request));
  const { items, next } = await waiting(request, reply, (event, found) =>
    query.list({ ...wanted, issues: [...wanted.issues, ...found] }, caller, event),
  );
  const place = wanted.after === null ? `"page":${page},` : '';
  const more = `"pageSize":${pageSize},"hasMore":${next !== null},"next":${JSON.stringify(next)}`;
  return json(reply, `{"items":[${items.join(',')}],${place}${more}}`);
}

async function find(
  query: PerspectiveQuery,
  access: AccessControl,
  request: HostRequest,
  reply: HostReply,
): Promise<string> {
  const caller = await access.establish(headersOfRequest(request));
  const { id } = request.params as { id: string };
  await query.authorize(caller, id);
  const unknown = unknownParameters(queryOf(request));
  const body = await waiting(request, reply, (event, found) => {
    const issues = [...unknown, ...found];
    if (issues.length > 0) throw new ValidationError(issues);
    return query.find(id, caller, event);
  });
  if (body === null) throw new NotFoundError('No model has this id.');
  return json(reply, body);
}

/** Returns stored JSON as it is. Each caller sees different models, so no proxy may cache the response. */
function json(reply: HostReply, text: string): string {
  reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'private, no-cache');
  forbidSniffing(reply);
  return text;
}
