import type { AccessControl, Gate } from '../../access/index.js';
import { ScopeFilters } from '../../security/index.js';
import type { ReadyEndpoint } from '../service-registry.js';

/** Authorizes a caller before the endpoint of a command runs, over every transport, and limits the command to the streams of the caller's tenant. */
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
