import { createService, InMemoryStorage, type Service, type Storage } from '@svc/core';
import { svc } from '@svc/fastify';
import { svcGraphQL } from '@svc/graphql';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { registry, type Services } from './generated/registry.js';
import { WellStockedWarehouse } from './orders/warehouse.js';
import { ConsoleNotifier } from './payments/notifier.js';
import { TrialPaymentGateway } from './payments/payment-gateway.js';

export interface OrdersHost {
  readonly app: FastifyInstance;
  readonly service: Service<Services>;
}

/** The whole service, ready to listen. */
export async function createHost(
  services: Partial<Services> = {},
  options: FastifyServerOptions = {},
  storage: Storage = new InMemoryStorage(),
): Promise<OrdersHost> {
  const service = createService(registry, {
    notifier: new ConsoleNotifier(),
    payments: new TrialPaymentGateway(),
    warehouse: new WellStockedWarehouse(),
    ...services,
  }).useStorage(storage);
  const app = Fastify(options);
  await app.register(svc(service, { openapi: { title: 'Orders', version: '0.1.0' } }));
  await app.register(svcGraphQL(service));
  return { app, service };
}
