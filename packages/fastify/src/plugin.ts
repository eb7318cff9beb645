import type { Service } from '@svc/core';
import type { AddedRoutes, SvcOptions } from '@svc/http';
import { checkedBodyLimit, resourceMetadataRoutes, serviceRoutes, type Route } from '@svc/http/hosting';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { acceptJsonOnly } from './json-body.js';
import { rootOf } from './root.js';
import { addRoutes, answerWithProblems } from './service-routes.js';
import { closeUnusedConnections } from './unused-connections.js';
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
  return async function svcPlugin(app: FastifyInstance): Promise<void> {
    const bodyLimit = checkedBodyLimit(options);
    service.start();
    await service.ready();
    // A response that lasts as long as its client stays would keep the host from closing.
    rootOf(app).addHook('preClose', (done) => {
      service.endWatches();
      done();
    });
    closeUnusedConnections(rootOf(app));
    acceptJsonOnly(app, bodyLimit);
    answerWithProblems(app, service.access.authenticators);
    const routes = addRoutes(app, serviceRoutes(service, app.prefix, options), service);
    answerOtherMethods(app, [...routes, ...addResourceMetadata(app, service)]);
    answerUnknownRoutes(app);
  };
}

/** Serves only routes that a package adds, such as those of the operator console, for a host that does not serve the API of the service. */
export function svcRoutes<TServices extends object>(
  service: Service<TServices>,
  added: AddedRoutes,
): FastifyPluginAsync {
  return async function addedRoutes(app: FastifyInstance): Promise<void> {
    const bodyLimit = checkedBodyLimit({});
    service.start();
    await service.ready();
    acceptJsonOnly(app, bodyLimit);
    answerWithProblems(app, service.access.authenticators);
    answerOtherMethods(app, addRoutes(app, added(service, null), service));
  };
}

/** Adds the metadata to the root of the host, and returns the routes. */
function addResourceMetadata<TServices extends object>(
  app: FastifyInstance,
  service: Service<TServices>,
): readonly Route[] {
  const root = rootOf(app);
  const routes = resourceMetadataRoutes(service.access.authenticators);
  // Two services of one host can share an authenticator.
  const missing = routes.filter(({ path }) => !root.hasRoute({ method: 'GET', url: path }));
  addRoutes(root, missing, service);
  return routes;
}
