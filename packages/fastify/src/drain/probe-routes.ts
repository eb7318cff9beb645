import type { FastifyInstance } from 'fastify';

export const healthPrefix = '/health/';

/** `GET /health/live` says that the process runs; `GET /health/ready` says whether it should have traffic. */
export function addProbeRoutes(app: FastifyInstance, { draining }: { readonly draining: () => boolean }): void {
  app.get('/health/live', { logLevel: 'silent' }, () => ({ status: 'Healthy' }));
  app.get('/health/ready', { logLevel: 'silent' }, (_request, reply) => {
    if (!draining()) return { status: 'Healthy' };
    return reply.code(503).send({ status: 'Unhealthy', description: 'The host is being taken out of service.' });
  });
}
