import { commandEndpoint, ScopeFilters, type Command, type MaxLength, type MinLength } from '@svc/core';
import type { RolesOfUser } from './assign-role.js';
import type { Role } from './role.js';

/** Takes a role back that was given here. It counts from their next request on. */
@commandEndpoint<RevokeRole, RolesOfUser>({
  restRoute: '/roles/revoke',
  requires: 'roles:admin',
  scope: ScopeFilters.Tenant,
})
export class RevokeRole implements Command {
  userId!: string & MinLength<1> & MaxLength<200>;
  role!: Role;
}
