import { HealthStatus, type HealthCheck, type Service } from '@svc/core';
import { type HealthEntry, type HealthReport } from '@svc/core/hosting';
import { restrictBrowser } from '../browser-headers.js';
import type { Route } from './route.js';

/** Selects the checks of a probe. */
export type ChecksOf = (check: HealthCheck) => boolean;

/** The options of the health probes. */
export interface HealthProbesOptions {
  /** The path for liveness: only the self check, so that an outage elsewhere causes no restarts. Default: `/health/live`. */
  readonly live?: string | false;
  /** The path for readiness: every check. Default: `/health/ready`. */
  readonly ready?: string | false;
  /** Further paths, each with its checks. */
  readonly probes?: Readonly<Record<string, ChecksOf>>;
  /** Whether responses contain each check and its result. Default: true. */
  readonly details?: boolean;
}

/** The routes of the health checks of a service. Healthy and Degraded return 200, Unhealthy returns 503. */
export function healthRoutes(service: Service<never> | Service, options: HealthProbesOptions = {}): readonly Route[] {
  const { live = '/health/live', ready = '/health/ready', probes = {}, details = true } = options;
  const paths: readonly (readonly [path: string | false, wanted: ChecksOf])[] = [
    [live, ({ name }) => name === 'self'],
    [ready, () => true],
    ...Object.entries(probes),
  ];
  return paths.flatMap(([path, wanted]) => (path === false ? [] : [probeRoute(service, path, wanted, details)]));
}

function probeRoute(service: Service<never> | Service, path: string, wanted: ChecksOf, hasDetails: boolean): Route {
  return {
    method: 'GET',
    path,
    owner: 'a health probe',
    gate: null,
    readBody: null,
    isQuiet: true,
    isProbe: true,
    handle: async (_request, reply) => {
      const report = await service.health.run(wanted);
      restrictBrowser(reply);
      reply
        .code(report.status === HealthStatus.Unhealthy ? 503 : 200)
        .header('cache-control', 'no-store')
        .header('content-type', 'application/health+json; charset=utf-8');
      return JSON.stringify(hasDetails ? detailed(report) : { status: words[report.status] });
    },
  };
}

/** The statuses of `application/health+json`. */
const words = { Healthy: 'pass', Degraded: 'warn', Unhealthy: 'fail' } as const;

function detailed({ status, entries }: HealthReport): object {
  return {
    status: words[status],
    checks: Object.fromEntries(entries.map((entry) => [entry.name, [checkOf(entry)]])),
  };
}

function checkOf({ status, description, data, tags, time, durationMs }: HealthEntry): object {
  return { status: words[status], output: description, time, durationMs, tags, data };
}
