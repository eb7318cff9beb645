import { createService, type Service } from '@svc/core';
import { addProbeRoutes, Drain, svc, type DrainOptions } from '@svc/fastify';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { registry, type Services } from './generated/registry.js';
import { WellStockedWarehouse } from './orders/warehouse.js';
import { ConsoleNotifier } from './payments/notifier.js';
import { TrialPaymentGateway } from './payments/payment-gateway.js';

export interface OrdersHost {
  readonly app: FastifyInstance;
  readonly service: Service<Services>;
  readonly drain: Drain;
}

/** The whole service, ready to listen. */
export async function createHost(
  services: Partial<Services> = {},
  options: FastifyServerOptions = {},
  drainOptions: DrainOptions = {},
): Promise<OrdersHost> {
  const service = createService(registry, {
    notifier: new ConsoleNotifier(),
    payments: new TrialPaymentGateway(),
    warehouse: new WellStockedWarehouse(),
    ...services,
  });
  const app = Fastify(options);
  const drain = new Drain(app, service, drainOptions);
  addProbeRoutes(app, { draining: () => drain.draining });
  await app.register(svc(service, { openapi: { title: 'Orders', version: '0.1.0' } }));
  return { app, service, drain };
}
