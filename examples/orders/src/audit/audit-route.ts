import { NotFoundError, Permission, runAsHost, ScopeFilters, uuid, type Service, type Uuid } from '@svc/core';
import { restrictedTo } from '@svc/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../generated/registry.js';
import { orderAudit, type AuditEntry } from './order-audit.js';

/** A caller who looks into what others did leaves a record, too. */
const access = {
  requires: Permission.read('system'),
  scope: ScopeFilters.Tenant,
  resourceType: 'order-audit',
  resourceId: orderIdOf,
  filter: ScopeFilters.Tenant,
  recordGrant: true,
} as const;

/** Audit records reach the system stream a moment after their command was answered; a question right after it waits for them, but not long. */
const patienceMs = 1_000;

interface OrderAudit {
  readonly orderId: Uuid;
  readonly entries: readonly AuditEntry[];
}

/** Adds `GET /orders/:orderId/audit`: who did what to an order, when and why; with `?what=orders.OrderCancelled`, only that. */
export function addAuditRoute(app: FastifyInstance, service: Service<Services>): void {
  const schema = {
    params: { type: 'object', properties: { orderId: { type: 'string', format: 'uuid' } } },
    querystring: { type: 'object', properties: { what: { type: 'string' } } },
  };
  app.get('/orders/:orderId/audit', { ...restrictedTo(service, access), schema }, (request) => answer(request));

  async function answer(request: FastifyRequest): Promise<OrderAudit> {
    const orderId = uuid(orderIdOf(request));
    // As the caller: an order of another tenant does not exist.
    if ((await service.eventStore.lastPosition(orderId)) === -1)
      throw new NotFoundError(`There is no order ${orderId}.`);
    await Promise.race([service.idle(), new Promise((resolve) => setTimeout(resolve, patienceMs).unref())]);
    // As the host: the owner of an order may know what anyone did to it, whatever tenant they act for.
    const entries = await runAsHost(() => orderAudit(service.eventStore, orderId));
    const { what } = request.query as { readonly what?: string };
    return { orderId, entries: what === undefined ? entries : entries.filter((entry) => entry.what === what) };
  }
}

function orderIdOf({ params }: FastifyRequest): string {
  return (params as { readonly orderId: string }).orderId;
}
