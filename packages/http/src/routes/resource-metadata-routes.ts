import type { Authenticator } from '@svc/core';
import { restrictBrowser } from '../browser-headers.js';
import type { Route } from './route.js';

/**
 * The metadata of protected resources (RFC 9728), each path once. The paths belong to the host, not to the prefix of a service: clients find
 * them from the URL of the resource.
 */
export function resourceMetadataRoutes(authenticators: readonly Authenticator[]): readonly Route[] {
  const all = authenticators.flatMap(({ resourceMetadata }) => resourceMetadata ?? []);
  const routes = all.map(({ url, document }): Route => {
    const text = JSON.stringify(document);
    return {
      method: 'GET',
      path: new URL(url).pathname,
      gate: null,
      readBody: null,
      handle: async (_request, reply) => {
        restrictBrowser(reply);
        reply.header('content-type', 'application/json; charset=utf-8');
        return text;
      },
    };
  });
  return [...new Map(routes.map((route) => [route.path, route])).values()];
}
