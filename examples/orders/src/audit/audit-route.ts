import { NotFoundError, Permission, runAsHost, ScopeFilters, uuid, type Service, type Uuid } from '@svc/core';
import type { AuditEntry } from '@svc/core/hosting';
import { restrictedTo } from '@svc/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../generated/registry.js';

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
const pageSize = 100;

/** An action on an order, or an attempt. */
export interface OrderAction {
  readonly when: Date;
  /** The type of the event: `orders.OrderCancelled`; for a rejected caller, `svc.AccessDenied`. */
  readonly what: string;
  readonly kind: string;
  readonly who: { readonly userId: string | null; readonly userName: string | null; readonly tenantId: string | null };
  /** The reason given with the command, or why the caller was rejected. */
  readonly reason: string | null;
  /** Why this type is audited. */
  readonly auditReason: string | null;
  /** The command. */
  readonly cause: string | null;
  readonly correlationId: string;
}

interface OrderAudit {
  readonly orderId: Uuid;
  readonly entries: readonly OrderAction[];
  /** The `after` of the next page. */
  readonly next: string | null;
}

/** Adds `GET /orders/:orderId/audit`: who did what to an order, when and why. `?what=orders.OrderCancelled` selects one type. */
export function addAuditRoute(app: FastifyInstance, service: Service<Services>): void {
  const schema = {
    params: { type: 'object', properties: { orderId: { type: 'string', format: 'uuid' } } },
    querystring: { type: 'object', properties: { what: { type: 'string' }, after: { type: 'string' } } },
  };
  app.get('/orders/:orderId/audit', { ...restrictedTo(service, access), schema }, (request) => answer(request));

  async function answer(request: FastifyRequest): Promise<OrderAudit> {
    const orderId = uuid(orderIdOf(request));
    // With the caller's rights: an order of another tenant does not exist.
    if ((await service.eventStore.lastPosition(orderId)) === -1)
      throw new NotFoundError(`There is no order ${orderId}.`);
    await Promise.race([service.idle(), new Promise((resolve) => setTimeout(resolve, patienceMs).unref())]);
    const { what: type, after } = request.query as { readonly what?: string; readonly after?: string };
    const query = { resource: orderId, type, first: 'oldest', limit: pageSize, after } as const;
    // With the host's rights: the owner of an order may see all actions on it, of any tenant.
    const tenantId = service.access.actor?.scope.tenantId ?? '';
    const { entries, next } = await runAsHost(() =>
      service.runInDatabaseOf(tenantId, () => service.audit.query(query)),
    );
    return { orderId, entries: entries.filter(({ kind }) => kind !== 'grant').map(actionOf), next };
  }
}

function actionOf({ at, type, kind, reason, auditReason, cause, correlationId, ...entry }: AuditEntry): OrderAction {
  const { userId, userName, tenantId } = entry;
  const who = { userId, userName, tenantId };
  return { when: at, what: type, kind, who, reason, auditReason, cause: cause?.type ?? null, correlationId };
}

function orderIdOf({ params }: FastifyRequest): string {
  return (params as { readonly orderId: string }).orderId;
}
