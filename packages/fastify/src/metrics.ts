import { type Permission, type Service } from '@svc/core';
import { restrictBrowser } from '@svc/http';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { restrictedTo } from './access/index.js';

/** Where metrics come from, such as `prometheus()` of `@svc/telemetry/prometheus`. */
export interface MetricsSource {
  readonly contentType: string;
  read(): Promise<string>;
  /** Told of every request that was answered. */
  answered?(request: MeasuredRequest): void;
}

export interface MeasuredRequest {
  readonly method: string;
  /** The route that took it, not its path; null when none did. */
  readonly route: string | null;
  readonly status: number;
  readonly seconds: number;
}

export interface MetricsOptions {
  /** Default: `/metrics`. */
  readonly path?: string;
  /** The permission that callers need, where they have to show who they are. Default: `metrics:read`. */
  readonly requires?: Permission | `${string}:${string}`;
  /** Lets anybody read them: for hosts that only the scraper can reach. Default: false. */
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
      // Nobody was answered when the client went away before.
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
    // Scrapers come every few seconds for as long as the host lives.
    app.get(path, { logLevel: 'warn', ...restrictedTo(service, access) }, async (_request, reply) => {
      const text = await source.read();
      restrictBrowser(reply);
      return await reply.type(source.contentType).header('cache-control', 'no-store').send(text);
    });
  }
  // Not in a scope of its own: its hook is for the requests of the whole host.
  return Object.assign(metricsRoute, { [Symbol.for('skip-override')]: true });
}
