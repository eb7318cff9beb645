import { loggedError, type Reporter } from '@svc/core/hosting';
import type { FastifyBaseLogger } from 'fastify';

/** Tells a log of failures that belong to no caller, and of the part they come from: `service.reportTo(reportToLog(app.log))`. */
export function reportToLog(log: Pick<FastifyBaseLogger, 'error'>): Reporter {
  return (error, part) => log.error({ err: loggedError(error), part }, 'failed in the background');
}
