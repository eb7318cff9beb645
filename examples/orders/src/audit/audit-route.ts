import {
  AccessDenialReason,
  Permission,
  scopeCondition,
  ScopeFilters,
  uuid,
  type ScopeCondition,
  type Service,
  type Uuid,
} from '@svc/core';
import { restrictedTo, securityContextOf } from '@svc/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../generated/registry.js';
import { orderAudit, type AuditEntry } from './order-audit.js';

const access = {
  requires: Permission.read('system'),
  resourceType: 'order-audit',
  resourceId: orderIdOf,
  filter: ScopeFilters.Tenant,
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
    const { equal } = await conditionFor(request, orderId);
    await Promise.race([service.idle(), new Promise((resolve) => setTimeout(resolve, patienceMs).unref())]);
    const entries = await orderAudit(service.eventStore, orderId, equal);
    const { what } = request.query as { readonly what?: string };
    return { orderId, entries: what === undefined ? entries : entries.filter((entry) => entry.what === what) };
  }

  /** Callers see what happened in their own tenant, and everything only while the service is open to everybody. */
  async function conditionFor(request: FastifyRequest, resourceId: string): Promise<ScopeCondition> {
    const caller = securityContextOf(request);
    if (caller === null) return scopeCondition(ScopeFilters.None, {});
    const asked = { ...access, resourceId };
    if (caller.scope.tenantId === undefined) {
      await service.access.deny(caller, asked, AccessDenialReason.ScopeViolation);
    }
    // Whoever looks into what others did leaves a trace, too.
    await service.access.authorize(caller, { ...asked, recordGrant: true });
    return scopeCondition(access.filter, caller.scope);
  }
}

function orderIdOf({ params }: FastifyRequest): string {
  return (params as { readonly orderId: string }).orderId;
}
