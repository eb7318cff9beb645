import { NotFoundError, ValidationError } from '@svc/core';
import type { AccessControl, PerspectiveQuery } from '@svc/core/hosting';
import { longestHeader } from '../content-type.js';
import { headersOfRequest } from '../credentials.js';
import { queryOf, type HostReply, type HostRequest } from '../host.js';
import { bytesOf, openLive, type LiveConnections, type LiveRequest } from '../live/index.js';
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
    const get = { method: 'GET', owner: `the perspective ${query.name}`, gate: null, readBody: null } as const;
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
      value === undefined
        ? []
        : [{ pointer: `/${name}`, detail: 'is not a known parameter; a live list is its first page' }],
    );
    const { page: _, ...wanted } = readListQuery(given);
    return await this.#open({
      request,
      reply,
      caller,
      begin: () =>
        waiting(request, reply, (event, found) =>
          this.#query.watch(
            { ...wanted, issues: [...wanted.issues, ...issues, ...found] },
            caller,
            placeOf(request),
            event,
          ),
        ),
    });
  }

  async find(request: HostRequest, reply: HostReply): Promise<RouteBody> {
    const caller = await this.#access.establish(headersOfRequest(request));
    const { id } = request.params as { id: string };
    await this.#query.authorize(caller, id);
    const unknown = unknownParameters(queryOf(request));
    return await this.#open({
      request,
      reply,
      caller,
      key: id,
      begin: () =>
        waiting(request, reply, async (event, found) => {
          const issues = [...unknown, ...found];
          if (issues.length > 0) throw new ValidationError(issues);
          return await this.#query.watchOne(id, caller, placeOf(request), event);
        }),
    });
  }

  async #open(live: Omit<LiveRequest, 'query' | 'bytesOf'>): Promise<RouteBody> {
    const body = await openLive(this.#connections, this.#access, { ...live, query: this.#query, bytesOf });
    if (body === null) throw new NotFoundError('No model has this id.');
    return body;
  }
}

/** The place that a client has reached before it lost the connection. */
function placeOf({ headers }: HostRequest): string | null {
  const place = headers['last-event-id'];
  return typeof place === 'string' && place !== '' && place.length <= longestHeader ? place : null;
}
