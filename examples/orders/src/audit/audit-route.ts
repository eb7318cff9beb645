import { NotFoundError, Permission, runAsHost, ScopeFilters, uuid, type Service, type Uuid } from '@svc/core';
import { restrictedTo } from '@svc/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../generated/registry.js';
import { orderAudit, type AuditEntry } from './order-audit.js';

/** A caller who reads the actions of others leaves an audit record, too. */
const access = {
  requires: Permission.read('system'),
  scope: ScopeFilters.Tenant,
  resourceType: 'order-audit',
  resourceId: orderIdOf,
  filter: ScopeFilters.Tenant,
  recordGrant: true,
} as const;

/** How long a request waits for audit records, which reach the system stream shortly after the response to their command. */
const patienceMs = 1_000;

interface OrderAudit {
  readonly orderId: Uuid;
  readonly entries: readonly AuditEntry[];
}

/** Adds `GET /orders/:orderId/audit`: who did what to an order, when and why. `?what=orders.OrderCancelled` selects one type. */
export function addAuditRoute(app: FastifyInstance, service: Service<Services>): void {
  const schema = {
    params: { type: 'object', properties: { orderId: { type: 'string', format: 'uuid' } } },
    querystring: { type: 'object', properties: { what: { type: 'string' } } },
  };
  app.get('/orders/:orderId/audit', { ...restrictedTo(service, access), schema }, (request) => answer(request));

  async function answer(request: FastifyRequest): Promise<OrderAudit> {
    const orderId = uuid(orderIdOf(request));
    // With the caller's rights: an order of another tenant does not exist.
    if ((await service.eventStore.lastPosition(orderId)) === -1)
      throw new NotFoundError(`There is no order ${orderId}.`);
    await Promise.race([service.idle(), new Promise((resolve) => setTimeout(resolve, patienceMs).unref())]);
    // With the host's rights: the owner of an order may see all actions on it, of any tenant.
    const entries = await runAsHost(() => orderAudit(service.eventStore, orderId));
    const { what } = request.query as { readonly what?: string };
    return { orderId, entries: what === undefined ? entries : entries.filter((entry) => entry.what === what) };
  }
}

function orderIdOf({ params }: FastifyRequest): string {
  return (params as { readonly orderId: string }).orderId;
}
