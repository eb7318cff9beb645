import type { DrainOptions, Stoppable } from '@svc/http';
import { HostDrain } from '@svc/http/hosting';
import type { FastifyInstance } from 'fastify';
import { isProbe } from './service-routes.js';

/**
 * Stops a Fastify host without losing a request. Readiness returns 503, and the host serves requests until the notice ends. Then it ends
 * requests whose body has not arrived, finishes the others, stops the workers of the service, and closes the listener last.
 *
 * Create it before you register the routes that it should watch.
 */
export class Drain extends HostDrain {
  constructor(app: FastifyInstance, service: Stoppable, options: DrainOptions = {}) {
    super({ server: app.server, close: () => app.close() }, service, options);
    app.addHook('onRequest', (request, reply, done) => {
      if (this.watch(request, reply, isProbe(request))) done();
    });
  }
}
