import { createService } from '@svc/core';
import { registry } from './generated/registry.js';

export { CreateOrder } from './create-order.js';

/** The service, with its events in memory. */
export const createOrders = () => createService(registry);
