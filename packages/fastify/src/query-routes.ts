import { NotFoundError } from '@svc/core';
import { type AccessControl, type PerspectiveQuery } from '@svc/core/hosting';
import { forbidSniffing, headersOfRequest } from '@svc/http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { waiting } from './event-wait.js';
import { readListQuery, rejectUnknownParameters } from './list-query.js';

/** Adds `GET <route>` and `GET <route>/<id>` for every perspective with a route, and returns their paths. */
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
      await query.authorize(caller);
      const { page, pageSize, ...list } = readListQuery(request.query);
      const { items, next } = await waiting(request, reply, (event) => query.list(list, caller, event));
      const place = list.after === null ? `"page":${page},` : '';
      return sendJson(
        reply,
        `{"items":[${items.join(',')}],${place}"pageSize":${pageSize},"hasMore":${next !== null},"next":${JSON.stringify(next)}}`,
      );
    });
    app.get<{ Params: { id: string }; Querystring: Record<string, unknown> }>(
      `${route}/:id`,
      async (request, reply) => {
        const caller = await access.establish(headersOfRequest(request));
        await query.authorize(caller, request.params.id);
        rejectUnknownParameters(request.query);
        const body = await waiting(request, reply, (event) => query.find(request.params.id, caller, event));
        if (body === null) throw new NotFoundError('No model has this id.');
        return sendJson(reply, body);
      },
    );
    return [app.prefix + route, `${app.prefix}${route}/:id`];
  });
}

/** Sends stored JSON as it is. Each caller sees different models, so no proxy may cache the response. */
function sendJson(reply: FastifyReply, text: string): string {
  reply.type('application/json; charset=utf-8').header('cache-control', 'private, no-cache');
  forbidSniffing(reply);
  return text;
}
