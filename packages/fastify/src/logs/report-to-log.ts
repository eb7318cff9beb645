import { loggedError, type Reporter } from '@svc/core/hosting';
import type { FastifyBaseLogger } from 'fastify';

/** Reports failures in the background to a log, with the part they come from: `service.reportTo(reportToLog(app.log))`. */
export function reportToLog(log: Pick<FastifyBaseLogger, 'error'>): Reporter {
  return (error, part) => log.error({ err: loggedError(error), part }, 'failed in the background');
}
