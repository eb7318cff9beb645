import { PermissionChanged, type PermissionChangeType, type ReceptorContext } from '@svc/core';
import { tenantOf } from './user-roles.js';

/** Says that somebody may do more or less than before, and by whose doing. */
export function permissionChanged(
  userId: string,
  { envelope: { scope } }: ReceptorContext,
  changeType: PermissionChangeType,
  changed: Pick<PermissionChanged, 'rolesAdded' | 'rolesRemoved'>,
): PermissionChanged {
  return Object.assign(new PermissionChanged(), {
    userId,
    tenantId: tenantOf(scope),
    changeType,
    ...changed,
    // Nobody is known while the service is open to everybody.
    changedBy: scope?.['userId'] ?? 'unknown',
    timestamp: new Date(),
  });
}
