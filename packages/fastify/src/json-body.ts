import { readJsonBody } from '@svc/http/hosting';
import type { FastifyInstance } from 'fastify';
import { bodyLimitKey } from './service-routes.js';

/** Makes the routes of `app` accept only JSON in UTF-8. */
export function acceptJsonOnly(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, stream, done) => {
    // A hook of the host may have decoded it.
    const encoding = stream === request.raw ? request.headers['content-encoding'] : undefined;
    const { [bodyLimitKey]: ownLimit } = request.routeOptions.config as { readonly [bodyLimitKey]?: number };
    readJsonBody(request, { stream, encoding }, ownLimit ?? bodyLimit, done);
  });
}
