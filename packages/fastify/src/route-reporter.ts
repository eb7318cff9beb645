import type { Telemetry } from '@svc/core/hosting';
import type { FastifyRequest } from 'fastify';

/** A hook that reports the routes of requests to the telemetry of the service; null: the telemetry does not use them. */
export function routeReporter(
  telemetry: Telemetry | null,
): ((request: FastifyRequest, reply: unknown, done: () => void) => void) | null {
  if (telemetry?.routed === undefined) return null;
  return ({ is404, routeOptions: { url } }, _reply, done) => {
    if (!is404 && url !== undefined) telemetry.routed!(url);
    done();
  };
}
