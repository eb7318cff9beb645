import { ServiceError } from '@svc/core';
import type { Route } from './route.js';

/** The routes that a host has so far. A router would report a second one without saying whose routes they are. */
export class RouteOwners {
  readonly #owners = new Map<string, string>();

  /** @param path the whole path, with the prefix of the service */
  add(path: string, { method, owner }: Pick<Route, 'method' | 'owner'>): void {
    const key = `${method} ${shapeOf(path)}`;
    const other = this.#owners.get(key);
    if (other !== undefined) throw duplicateRoute(`${method} ${path}`, nameOf(owner), other);
    this.#owners.set(key, nameOf(owner));
  }
}

/** The error of a route that two parts of a host have. */
export function duplicateRoute(route: string, owner: string, other: string): ServiceError {
  return new ServiceError(
    'SVC_DUPLICATE_ROUTE',
    `The route ${route} of ${owner} already belongs to ${other}. Give one of them another route, or use the options of the host: they move or omit the endpoints of svc.`,
  );
}

function nameOf(owner: string | undefined): string {
  return owner ?? 'an endpoint of svc';
}

/** Equal for paths that a router cannot distinguish: `/orders/:id` and `/orders/:key`. */
function shapeOf(path: string): string {
  return path.replaceAll(/:\w+/g, ':');
}
