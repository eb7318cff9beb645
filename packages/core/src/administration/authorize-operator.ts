import { actForTenants, type AccessControl } from '../access/index.js';
import { AccessDenialReason } from '../system-events/index.js';

/** Authorizes a view of the service's state. It is not divided by tenants, so the actor must reach all of them. */
export async function authorizeOperatorRead(access: AccessControl): Promise<void> {
  await requireAllTenants(access, await access.authorizeSystemRead());
}

/** Authorizes a change of the service's state. Resolves with the name of the operator, for the record. */
export async function authorizeOperatorWrite(access: AccessControl): Promise<string> {
  await requireAllTenants(access, await access.authorizeSystemWrite());
  return operatorOf(access);
}

/** The name of the actor, for the record. */
export function operatorOf({ actor }: AccessControl): string {
  return actor?.scope.userId ?? 'unknown';
}

async function requireAllTenants(access: AccessControl, tenant: string | null): Promise<void> {
  const { actor } = access;
  if (tenant === null || actor === null) return;
  const request = { requires: actForTenants, resourceType: 'service' };
  await access.deny(actor, request, AccessDenialReason.ScopeViolation);
}
