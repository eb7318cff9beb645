import { actForTenants } from '../access/index.js';
import { permission, type SecurityContext } from '../security/index.js';

/**
 * The security context of an operator. Operators that can write to the database operate the service for all tenants, but have no permissions
 * of the application.
 */
export function operatorContext(requestedBy: string): SecurityContext {
  return {
    scope: { userId: requestedBy },
    roles: new Set(),
    permissions: new Set([permission('system:read'), permission('system:write'), actForTenants]),
    source: 'operator',
  };
}
