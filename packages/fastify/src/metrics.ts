import { type Permission, type Service } from '@svc/core';
import { restrictBrowser, routeReporter } from '@svc/http';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { restrictedTo } from './access/index.js';

/** A source of metrics, such as `prometheus()` of `@svc/telemetry/prometheus`. */
export interface MetricsSource {
  readonly contentType: string;
  read(): Promise<string>;
  /** Called for every request with a response. */
  answered?(request: MeasuredRequest): void;
}

/** A request with its response, for metrics. */
export interface MeasuredRequest {
  readonly method: string;
  /** The matched route, not the path; null if none matched. */
  readonly route: string | null;
  readonly status: number;
  readonly seconds: number;
}

/** The options of `metrics`. */
export interface MetricsOptions {
  /** Default: `/metrics`. */
  readonly path?: string;
  /** The permission that callers need in a service with authentication. Default: `metrics:read`. */
  readonly requires?: Permission | `${string}:${string}`;
  /** Allows callers without a credential: for hosts that only the scraper can reach. Default: false. */
  readonly allowAnonymous?: boolean;
}

/**
 * Serves metrics: `await app.register(metrics(service, prometheus()))`. Register it before the routes whose requests it should measure.
 */
export function metrics<TServices extends object>(
  service: Service<TServices>,
  source: MetricsSource,
  { path = '/metrics', requires = 'metrics:read', allowAnonymous = false }: MetricsOptions = {},
): FastifyPluginAsync {
  async function metricsRoute(app: FastifyInstance): Promise<void> {
    service.start();
    app.addHook('onResponse', (request, reply, done) => {
      // No response was sent if the client disconnected first.
      if (reply.raw.headersSent) {
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
    const access = allowAnonymous ? { allowAnonymous, resourceType: 'metrics' } : { requires, resourceType: 'metrics' };
    await app.register(async (scope) => {
      const reportRoute = routeReporter(service.telemetry);
      if (reportRoute !== null) scope.addHook('onRequest', reportRoute);
      // Scrapes come every few seconds for the lifetime of the host.
      scope.get(path, { logLevel: 'warn', ...restrictedTo(service, access) }, async (_request, reply) => {
        const text = await source.read();
        restrictBrowser(reply);
        return await reply.type(source.contentType).header('cache-control', 'no-store').send(text);
      });
    });
  }
  // Without its own scope: its hook measures the requests of the whole host.
  return Object.assign(metricsRoute, { [Symbol.for('skip-override')]: true });
}
