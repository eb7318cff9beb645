import { permission, type SecurityContext } from '../security/index.js';

/**
 * Whoever asked, as far as the database knows: those who may write to it. What they may do is what the service offers to operators, and
 * nothing of the application.
 */
export function operatorContext(requestedBy: string): SecurityContext {
  return {
    scope: { userId: requestedBy },
    roles: new Set(),
    permissions: new Set([permission('system:read'), permission('system:write')]),
    source: 'operator',
  };
}
