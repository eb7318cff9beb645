import type { Service } from '@svc/core';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { addCommandRoutes } from './command-routes.js';
import { defaultBodyLimit, type SvcOptions } from './options.js';

/**
 * Serves a service over HTTP: `await app.register(svc(service))`, or `app.register(svc(service), { prefix: '/api' })`. The
 * service is started when the plugin is registered, so what is wrong with it is known before the host listens.
 */
export function svc<TServices extends object>(
  service: Service<TServices>,
  options: SvcOptions = {},
): FastifyPluginCallback<{ prefix?: string }> {
  return (app: FastifyInstance, _registration, done) => {
    service.start();
    addCommandRoutes(app, service.endpoints, options.bodyLimit ?? defaultBodyLimit);
    done();
  };
}
