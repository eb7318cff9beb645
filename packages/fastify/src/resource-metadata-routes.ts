import type { Authenticator } from '@svc/core';
import { restrictBrowser } from '@svc/http';
import type { FastifyInstance } from 'fastify';
import { rootOf } from './unmatched-requests.js';

/**
 * Serves the metadata of protected resources (RFC 9728), and returns the paths. They belong to the host, not to the prefix of the plugin: clients
 * find them from the URL of the resource.
 */
export function addResourceMetadataRoutes(
  app: FastifyInstance,
  authenticators: readonly Authenticator[],
): readonly string[] {
  const root = rootOf(app);
  const all = authenticators.flatMap(({ resourceMetadata }) => resourceMetadata ?? []);
  return all.map(({ url, document }) => {
    const path = new URL(url).pathname;
    const text = JSON.stringify(document);
    // Two services of one host can share an authenticator.
    if (!root.hasRoute({ method: 'GET', url: path })) {
      root.get(path, (_request, reply) => {
        restrictBrowser(reply);
        return reply.type('application/json; charset=utf-8').send(text);
      });
    }
    return path;
  });
}
