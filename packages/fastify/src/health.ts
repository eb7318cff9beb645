import { HealthStatus, type HealthCheck, type Service } from '@svc/core';
import { type HealthEntry, type HealthReport } from '@svc/core/hosting';
import { restrictBrowser } from '@svc/http';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';

/** Chooses the checks that a probe asks. */
export type ChecksOf = (check: HealthCheck) => boolean;

export interface HealthProbesOptions {
  /** Where liveness is asked: the self check alone, so that an outage elsewhere causes no restarts. Default: `/health/live`. */
  readonly live?: string | false;
  /** Where readiness is asked: every check. Default: `/health/ready`. */
  readonly ready?: string | false;
  /** Further paths, each with the checks it asks. */
  readonly probes?: Readonly<Record<string, ChecksOf>>;
  /** Whether answers name the checks and say what they found. Default: true. */
  readonly details?: boolean;
}

/**
 * Serves the health checks of a service: `await app.register(health(service))`. Healthy and Degraded are answered with 200, Unhealthy with
 * 503. A probe opens no connection, however often it comes.
 */
export function health(service: Service<never> | Service, options: HealthProbesOptions = {}): FastifyPluginAsync {
  const { live = '/health/live', ready = '/health/ready', probes = {}, details = true } = options;
  return async function healthProbes(app: FastifyInstance): Promise<void> {
    service.start();
    if (live !== false) addProbe(app, live, ({ name }) => name === 'self');
    if (ready !== false) addProbe(app, ready, () => true);
    for (const [path, wanted] of Object.entries(probes)) addProbe(app, path, wanted);
  };

  function addProbe(app: FastifyInstance, path: string, wanted: ChecksOf): void {
    // Probes come every few seconds for as long as the host lives.
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

/** What marks the routes of probes. */
const probeRoute = Object.freeze({ svcProbe: true });

/** Whether a request is one of a probe: those are answered as long as the host listens. */
export function isProbe({ routeOptions: { config } }: FastifyRequest): boolean {
  return 'svcProbe' in config;
}

/** The words of `application/health+json`. */
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
