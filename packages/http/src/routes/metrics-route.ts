import { permission, type Permission } from '@svc/core';
import { restrictBrowser } from '../browser-headers.js';
import type { Route } from './route.js';

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

/** The options of the metrics. */
export interface MetricsOptions {
  /** The path of the route. Default: `/metrics`. */
  readonly path?: string;
  /** The permission that callers need in a service with authentication. Default: `metrics:read`. */
  readonly requires?: Permission | `${string}:${string}`;
  /** Allows callers without a credential: for hosts that only the scraper can reach. Default: false. */
  readonly allowAnonymous?: boolean;
}

/** The route of the metrics of a service. */
export function metricsRoute(
  source: MetricsSource,
  { path = '/metrics', requires = 'metrics:read', allowAnonymous = false }: MetricsOptions = {},
): Route {
  return {
    method: 'GET',
    path,
    owner: 'the metrics',
    gate: { requires: allowAnonymous ? null : permission(requires), allowAnonymous, resourceType: 'metrics' },
    readBody: null,
    isQuiet: true,
    handle: async (_request, reply) => {
      const text = await source.read();
      restrictBrowser(reply);
      reply.header('content-type', source.contentType).header('cache-control', 'no-store');
      return text;
    },
  };
}
