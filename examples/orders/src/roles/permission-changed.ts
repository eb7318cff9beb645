import { PermissionChanged, type PermissionChangeType, type ReceptorContext } from '@svc/core';
import { tenantOf } from './user-roles.js';

/** Reports that the permissions of a user changed, and who changed them. */
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
    // Without authentication no user is known.
    changedBy: scope?.['userId'] ?? 'unknown',
    timestamp: new Date(),
  });
}
