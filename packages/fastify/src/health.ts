import type { Service } from '@svc/core';
import type { HealthProbesOptions } from '@svc/http';
import { healthRoutes } from '@svc/http/hosting';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { addRoutes } from './service-routes.js';
import { answerOtherMethods } from './unmatched-requests.js';

/**
 * Serves the health checks of a service: `await app.register(health(service))`. Healthy and Degraded return 200, Unhealthy returns 503. A
 * probe opens no connection, however frequent it is.
 */
export function health(service: Service<never> | Service, options: HealthProbesOptions = {}): FastifyPluginAsync {
  return async function healthProbes(app: FastifyInstance): Promise<void> {
    service.start();
    answerOtherMethods(app, addRoutes(app, healthRoutes(service, options), service));
  };
}
