import type { Service } from '@svc/core';
import type { MetricsOptions, MetricsSource } from '@svc/http';
import { isLive, metricsRoute } from '@svc/http/hosting';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { addRoutes } from './service-routes.js';

/**
 * Serves metrics: `await app.register(metrics(service, prometheus()))`. Register it before the routes whose requests it should measure.
 */
export function metrics<TServices extends object>(
  service: Service<TServices>,
  source: MetricsSource,
  options: MetricsOptions = {},
): FastifyPluginAsync {
  async function metricsPlugin(app: FastifyInstance): Promise<void> {
    service.start();
    app.addHook('onResponse', (request, reply, done) => {
      // No response was sent if the client disconnected first.
      if (reply.raw.headersSent && !isLive(request)) {
        const route = request.is404 ? null : (request.routeOptions.url ?? null);
        source.answered?.({
          method: request.method,
          route,
          status: reply.statusCode,
          seconds: reply.elapsedTime / 1000,
        });
      }
      done();
    });
    addRoutes(app, [metricsRoute(source, options)], service);
  }
  // Without its own scope: its hook measures the requests of the whole host.
  return Object.assign(metricsPlugin, { [Symbol.for('skip-override')]: true });
}
