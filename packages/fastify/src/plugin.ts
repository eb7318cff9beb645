import type { Service } from '@svc/core';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { restrictingHooks } from './access/index.js';
import { addAuditRoute } from './audit-route.js';
import { addCommandRoutes } from './command-routes.js';
import { addQueryRoutes } from './query-routes.js';
import { addDocsRoutes, addOpenApiRoute } from './documentation-routes.js';
import { openApiDocument, securityOf } from './openapi/index.js';
import { defaultBodyLimit, type SvcOptions } from './options.js';
import { addResourceMetadataRoutes } from './resource-metadata-routes.js';
import { answerOtherMethods, answerUnknownRoutes } from './unmatched-requests.js';

/**
 * Serves a service over HTTP: `await app.register(svc(service))`, or `app.register(svc(service), { prefix: '/api' })`. Registering the plugin
 * starts the service, so configuration errors occur before the host listens. Stop the service yourself: `await app.close(); await
 * service.stop()`.
 */
export function svc<TServices extends object>(
  service: Service<TServices>,
  { bodyLimit = defaultBodyLimit, openapi = {}, docs = true, docsRequire }: SvcOptions = {},
): FastifyPluginAsync {
  // Async, because only then Fastify treats an exception as a failure of the plugin.
  return async function svcRoutes(app: FastifyInstance): Promise<void> {
    if (!Number.isSafeInteger(bodyLimit) || bodyLimit <= 0) {
      throw new RangeError(`bodyLimit must be a whole number of bytes above 0, not ${bodyLimit}.`);
    }
    service.start();
    await service.ready();
    const routes = addCommandRoutes(app, service, bodyLimit);
    const queries = addQueryRoutes(app, service.queries, service.access);
    const audit = addAuditRoute(app, service);
    const documentation = [...addResourceMetadataRoutes(app, service.access.authenticators)];
    if (openapi !== false) {
      const security = securityOf(service);
      const served = { queries: service.queries, security, auditRoute: service.auditQueries?.route ?? null };
      const document = openApiDocument(service.registry.openapi, openapi, app.prefix, served);
      const access = { requires: docsRequire ?? null, resourceType: 'documentation' };
      const options = docsRequire === undefined ? {} : restrictingHooks(service, access);
      documentation.push(...addOpenApiRoute(app, document, options));
      if (docs) documentation.push(...addDocsRoutes(app, document, options));
    }
    answerOtherMethods(app, [...routes, ...queries, ...audit, ...documentation]);
    answerUnknownRoutes(app);
  };
}
