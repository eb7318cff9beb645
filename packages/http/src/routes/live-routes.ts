import { NotFoundError, ValidationError, type SecurityContext } from '@svc/core';
import type { AccessControl, LiveWatch, PerspectiveQuery } from '@svc/core/hosting';
import { forbidSniffing } from '../browser-headers.js';
import { longestHeader } from '../content-type.js';
import { headersOfRequest } from '../credentials.js';
import { queryOf, type HostReply, type HostRequest } from '../host.js';
import { requestOf } from '../http-request.js';
import { LiveStream, type LiveConnections } from '../live/index.js';
import { waiting } from './event-wait.js';
import { readListQuery, unknownParameters } from './list-query.js';
import type { Route, RouteBody } from './route.js';

/** `GET <route>/live` and `GET <route>/<id>/live` of every perspective with a route. */
export function liveRoutes(
  queries: readonly PerspectiveQuery[],
  access: AccessControl,
  connections: LiveConnections,
): readonly Route[] {
  return queries.flatMap((query) => {
    const { route } = query.access;
    if (route === null) return [];
    const get = { method: 'GET', gate: null, readBody: null, isLive: true } as const;
    const live = new LiveRoute(query, access, connections);
    return [
      { ...get, path: `${route}/live`, handle: (request, reply) => live.list(request, reply) },
      { ...get, path: `${route}/:id/live`, handle: (request, reply) => live.find(request, reply) },
    ] satisfies Route[];
  });
}

class LiveRoute {
  readonly #query: PerspectiveQuery;
  readonly #access: AccessControl;
  readonly #connections: LiveConnections;

  constructor(query: PerspectiveQuery, access: AccessControl, connections: LiveConnections) {
    this.#query = query;
    this.#access = access;
    this.#connections = connections;
  }

  async list(request: HostRequest, reply: HostReply): Promise<RouteBody> {
    const caller = await this.#access.establish(headersOfRequest(request));
    await this.#query.authorize(caller);
    // A live list is the first page: other pages shift with every change in front of them.
    const { page, after, ...given } = queryOf(request);
    const issues = Object.entries({ page, after }).flatMap(([name, value]) =>
      value === undefined ? [] : [{ pointer: `/${name}`, detail: 'is unknown; a live list is its first page' }],
    );
    const { page: _, ...wanted } = readListQuery(given);
    return await this.#respond(request, reply, caller, undefined, () =>
      waiting(request, reply, (event, found) =>
        this.#query.watch(
          { ...wanted, issues: [...wanted.issues, ...issues, ...found] },
          caller,
          placeOf(request),
          event,
        ),
      ),
    );
  }

  async find(request: HostRequest, reply: HostReply): Promise<RouteBody> {
    const caller = await this.#access.establish(headersOfRequest(request));
    const { id } = request.params as { id: string };
    await this.#query.authorize(caller, id);
    const unknown = unknownParameters(queryOf(request));
    return await this.#respond(request, reply, caller, id, () =>
      waiting(request, reply, async (event, found) => {
        const issues = [...unknown, ...found];
        if (issues.length > 0) throw new ValidationError(issues);
        const watch = await this.#query.watchOne(id, caller, placeOf(request), event);
        if (watch === null) throw new NotFoundError('No model has this id.');
        return watch;
      }),
    );
  }

  async #respond(
    request: HostRequest,
    reply: HostReply,
    caller: SecurityContext | null,
    key: string | undefined,
    begin: () => Promise<LiveWatch>,
  ): Promise<RouteBody> {
    const name = nameOf(caller);
    this.#connections.requireRoom(name);
    const visible = await this.#query.visibleTo(caller, key);
    const watch = await begin();
    reply
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'private, no-store')
      // Proxies would collect events instead of passing each on.
      .header('x-accel-buffering', 'no');
    forbidSniffing(reply);
    if (request.method === 'HEAD') {
      watch.close();
      return '';
    }
    const stream = new LiveStream(watch);
    const headers = headersOfRequest(request);
    const check = async (): Promise<void> => {
      const now = await this.#access.establish(headers);
      // A credential that stands for someone else now sees other models.
      if ((await this.#query.visibleTo(now, key)) !== visible) throw new Error('The caller sees other models now.');
    };
    this.#connections.add(name, { stream, check });
    endWithConnection(request, stream);
    return stream;
  }
}

/** Ends a stream when its client disconnects. A response that waits behind another one of its connection would not notice it. */
function endWithConnection(request: HostRequest, stream: LiveStream): void {
  const live = requestOf(request);
  live.signal.addEventListener('abort', () => stream.destroy(), { once: true });
  stream.once('close', () => live.end());
  live.begin();
}

/** The place that a client has reached before it lost the connection. */
function placeOf({ headers }: HostRequest): string | null {
  const place = headers['last-event-id'];
  return typeof place === 'string' && place !== '' && place.length <= longestHeader ? place : null;
}

/** Callers without a user count together, for each tenant. */
function nameOf(caller: SecurityContext | null): string {
  const { tenantId, userId } = caller?.scope ?? {};
  return JSON.stringify([tenantId ?? null, userId ?? null]);
}
