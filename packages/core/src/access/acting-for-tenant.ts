import { ServiceError } from '../errors/index.js';
import { permission, type Permission, type SecurityContext } from '../security/index.js';

/** The header in which a platform operator names the tenant to act for. */
export const tenantHeader = 'svc-tenant';

/** The permission to act for every tenant. It must be granted by its name: `*:*` does not include it. */
export const actForTenants: Permission = permission('tenants:act');

const explicitly: ReadonlySet<string> = new Set([actForTenants, 'tenants:*']);

/** Whether a caller may act for tenants other than its own. */
export function mayActForTenants({ permissions }: SecurityContext): boolean {
  return [...permissions].some((held) => explicitly.has(held));
}

const longestTenantId = 200;

/** Throws if a text is not a valid tenant id. Hosts join the values of a repeated header with a comma and a space. */
export function requireTenantId(text: string): void {
  if (text.length <= longestTenantId && /^[\x20-\x7e]+$/.test(text) && !text.includes(', ')) return;
  throw new ServiceError(
    'SVC_INVALID_TENANT',
    `The header ${tenantHeader} must contain one tenant id of 1 to ${longestTenantId} ASCII characters.`,
  );
}

/** The context of a caller that acts for another tenant. Records carry the caller's own tenant as `homeTenantId`. */
export function actingFor(context: SecurityContext, tenantId: string): SecurityContext {
  const homeTenantId = context.scope.tenantId ?? '';
  return Object.freeze({ ...context, scope: Object.freeze({ ...context.scope, tenantId }), homeTenantId });
}
