import { HealthStatus, type HealthCheck, type Service } from '@svc/core';
import { type HealthEntry, type HealthReport } from '@svc/core/hosting';
import { restrictBrowser, routeReporter } from '@svc/http';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { answerOtherMethods } from './unmatched-requests.js';

/** Selects the checks of a probe. */
export type ChecksOf = (check: HealthCheck) => boolean;

/** The options of `health`. */
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

/**
 * Serves the health checks of a service: `await app.register(health(service))`. Healthy and Degraded return 200, Unhealthy returns 503. A
 * probe opens no connection, however frequent it is.
 */
export function health(service: Service<never> | Service, options: HealthProbesOptions = {}): FastifyPluginAsync {
  const { live = '/health/live', ready = '/health/ready', probes = {}, details = true } = options;
  return async function healthProbes(app: FastifyInstance): Promise<void> {
    service.start();
    const reportRoute = routeReporter(service.telemetry);
    if (reportRoute !== null) app.addHook('onRequest', reportRoute);
    if (live !== false) addProbe(app, live, ({ name }) => name === 'self');
    if (ready !== false) addProbe(app, ready, () => true);
    for (const [path, wanted] of Object.entries(probes)) addProbe(app, path, wanted);
    const paths = [live, ready, ...Object.keys(probes)].filter((path) => path !== false);
    answerOtherMethods(
      app,
      paths.map((path) => app.prefix + path),
    );
  };

  function addProbe(app: FastifyInstance, path: string, wanted: ChecksOf): void {
    // Probes come every few seconds for the lifetime of the host.
    app.get(path, { logLevel: 'warn', config: probeRoute }, async (_request, reply) => {
      const report = await service.health.run(wanted);
      restrictBrowser(reply);
      return await reply
        .code(report.status === HealthStatus.Unhealthy ? 503 : 200)
        .header('cache-control', 'no-store')
        .type('application/health+json; charset=utf-8')
        .send(JSON.stringify(details ? detailed(report) : { status: words[report.status] }));
    });
  }
}

/** Marks the routes of probes. */
const probeRoute = Object.freeze({ svcProbe: true });

/** Whether a request comes from a probe: the host answers probes as long as it listens. */
export function isProbe({ routeOptions: { config } }: FastifyRequest): boolean {
  return 'svcProbe' in config;
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
