import { AccessControl } from '../../access/index.js';
import type { ServedAudit } from '../../audit/index.js';
import { ServiceError } from '../../errors/index.js';
import type { PerspectiveQuery } from '../../perspectives/index.js';
import { ScopeFilters } from '../../security/index.js';
import type { CommitRecord } from '../../storage/index.js';
import type { ReadyEndpoint } from '../service-registry.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import type { ServiceFoundation } from './foundation.js';

export function accessOf({ registrations, reportOf }: ServiceFoundation, emitter: SystemEventEmitter): AccessControl {
  const { authenticators, tenants, telemetry } = registrations;
  return new AccessControl(authenticators, emitter, {
    tenants,
    onAuthenticationFailed: (scheme) => telemetry?.authenticationFailed?.(scheme),
    report: reportOf('access'),
  });
}

/** Throws if an endpoint or a query requires a permission or a scope in a service without authentication. */
export function requireNoPermissions(
  endpoints: readonly ReadyEndpoint[],
  queries: readonly PerspectiveQuery[],
  audit: ServedAudit | null,
): void {
  const guarded = [...endpoints, ...queries.map(({ name, access }) => ({ name, ...access }))].filter(
    ({ requires, scope }) => requires !== null || scope !== ScopeFilters.None,
  );
  const all = [...guarded.map(({ name }) => name), ...(audit === null ? [] : ['The audit queries'])];
  if (all.length === 0) return;
  const names = all.join(', ');
  throw new ServiceError(
    'SVC_AUTHENTICATION_MISSING',
    `${names} require a permission or a scope, but no authentication is configured. Call addAuthentication(…), or allowEverybody() for a trial on a loopback address.`,
  );
}

/** Whether a commit of this or another host changes the permissions of a caller. */
export function changesPermissions({ events, outgoing, delivered }: CommitRecord): boolean {
  const isChange = (message: { readonly type: string } | null): boolean => message?.type === 'svc.PermissionChanged';
  // Changes of this host already took effect when they were queued, so their delivery does not count.
  return outgoing.some(({ message }) => isChange(message)) || (delivered === null && events.some(isChange));
}
