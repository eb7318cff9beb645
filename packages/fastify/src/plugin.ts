import type { Service } from '@svc/core';
import type { SvcOptions } from '@svc/http';
import { defaultBodyLimit, restRoutes } from '@svc/http/hosting';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { acceptJsonOnly } from './json-body.js';
import { addRoutes, answerWithProblems } from './service-routes.js';
import { answerOtherMethods, answerUnknownRoutes } from './unmatched-requests.js';

/**
 * Serves a service over HTTP: `await app.register(svc(service))`, or `app.register(svc(service), { prefix: '/api' })`. Registering the plugin
 * starts the service, so configuration errors occur before the host listens. Stop the service yourself: `await app.close(); await
 * service.stop()`.
 */
export function svc<TServices extends object>(
  service: Service<TServices>,
  options: SvcOptions = {},
): FastifyPluginAsync {
  // Async, because only then Fastify treats an exception as a failure of the plugin.
  return async function svcRoutes(app: FastifyInstance): Promise<void> {
    const { bodyLimit = defaultBodyLimit } = options;
    if (!Number.isSafeInteger(bodyLimit) || bodyLimit <= 0) {
      throw new RangeError(`bodyLimit must be a whole number of bytes above 0, not ${bodyLimit}.`);
    }
    service.start();
    await service.ready();
    acceptJsonOnly(app, bodyLimit);
    answerWithProblems(app, service.access.authenticators);
    const paths = addRoutes(app, restRoutes(service, app.prefix, options), service);
    answerOtherMethods(app, paths);
    answerUnknownRoutes(app);
  };
}
