import type { AccessControl, Gate } from '../../access/index.js';
import { ScopeFilters } from '../../security/index.js';
import type { ReadyEndpoint } from '../service-registry.js';

/** What stands before the endpoint of a command, over every transport. A command reaches the streams of the caller's tenant, where those are isolated. */
export function commandGate(
  { requires, allowAnonymous, scope, recordGrant, commandType }: ReadyEndpoint,
  { isolatesTenants }: AccessControl,
): Gate {
  return {
    requires,
    allowAnonymous,
    scope,
    resourceType: 'command',
    resourceId: commandType,
    filter: isolatesTenants ? scope | ScopeFilters.Tenant : scope,
    recordGrant,
  };
}
