import {
  headersOfRequest,
  NotFoundError,
  pageNumber,
  ValidationError,
  type AccessControl,
  type Issue,
  type PerspectiveQuery,
} from '@svc/core';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Adds `GET <route>` and `GET <route>/<id>` for every perspective that has a route, and returns their paths. */
export function addQueryRoutes(
  app: FastifyInstance,
  queries: readonly PerspectiveQuery[],
  access: AccessControl,
): readonly string[] {
  return queries.flatMap((query) => {
    const { route } = query.access;
    if (route === null) return [];
    app.get<{ Querystring: Record<string, unknown> }>(route, async (request, reply) => {
      const caller = await access.establish(headersOfRequest(request));
      const { page, pageSize } = pageOf(request.query);
      const { items, hasMore } = await query.list((page - 1) * pageSize, pageSize, caller);
      return sendJson(
        reply,
        `{"items":[${items.join(',')}],"page":${page},"pageSize":${pageSize},"hasMore":${hasMore}}`,
      );
    });
    app.get<{ Params: { id: string } }>(`${route}/:id`, async (request, reply) => {
      const caller = await access.establish(headersOfRequest(request));
      const body = await query.find(request.params.id, caller);
      if (body === null) throw new NotFoundError('There is none with this id.');
      return sendJson(reply, body);
    });
    return [app.prefix + route, `${app.prefix}${route}/:id`];
  });
}

/** Models stand in the storage as the JSON that callers get. What they see is theirs alone, so nobody on the way keeps it. */
function sendJson(reply: FastifyReply, text: string): string {
  reply.type('application/json; charset=utf-8').header('cache-control', 'private, no-cache');
  return text;
}

function pageOf(query: Record<string, unknown>): { page: number; pageSize: number } {
  const issues: Issue[] = [];
  const page = pageNumber('page', numberIn(query['page']), issues);
  const pageSize = pageNumber('pageSize', numberIn(query['pageSize']), issues);
  for (const name of Object.keys(query)) {
    if (name !== 'page' && name !== 'pageSize') issues.push({ pointer: `/${name}`, detail: 'is not known' });
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return { page, pageSize };
}

/** NaN for what is not a plain number. */
function numberIn(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  return typeof text === 'string' && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : NaN;
}
