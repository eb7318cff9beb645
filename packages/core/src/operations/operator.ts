import { actForTenants } from '../access/index.js';
import { permission, type SecurityContext } from '../security/index.js';

/**
 * The operator who asked, as far as the database knows: those who may write to it operate the service for all tenants. They may do what the
 * service offers to operators, and nothing of the application.
 */
export function operatorContext(requestedBy: string): SecurityContext {
  return {
    scope: { userId: requestedBy },
    roles: new Set(),
    permissions: new Set([permission('system:read'), permission('system:write'), actForTenants]),
    source: 'operator',
  };
}
