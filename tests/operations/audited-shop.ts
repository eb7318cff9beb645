/** A service whose commands and events are audited, for commands that read the audit. */
import { createService, newId, type SecurityContext, type Service, type Uuid } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import { ann, PayOrder, PlaceOrder, shopRegistry } from '../system-events/shop.js';

export { ann };

export const bob: SecurityContext = {
  ...ann,
  scope: { tenantId: 'globex', userId: 'bob' },
  userName: 'Bob',
};

export async function startShop(storage: Storage): Promise<Service> {
  const service = createService(shopRegistry())
    .addService()
    .useStorage(storage)
    .addSystemEventAuditing((events) => events.enableAll())
    .reportTo(() => {})
    .start();
  await service.ready();
  return service;
}

/** Places an order for a reason, and returns its id. */
export async function place(service: Service, who: SecurityContext, reason?: string): Promise<Uuid> {
  const orderId = newId();
  const command = Object.assign(new PlaceOrder(), { orderId, ...(reason !== undefined && { reason }) });
  await runAs(who, () => service.dispatcher.invoke(command));
  return orderId;
}

/** Pays an order: its event has the level Warning, the command is Critical. */
export async function pay(service: Service, who: SecurityContext, orderId: Uuid): Promise<void> {
  await runAs(who, () => service.dispatcher.invoke(Object.assign(new PayOrder(), { orderId })));
}
