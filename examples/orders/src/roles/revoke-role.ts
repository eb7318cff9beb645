import { commandEndpoint, ScopeFilters, type Command, type MaxLength, type MinLength } from '@svc/core';
import type { RolesOfUser } from './assign-role.js';
import type { Role } from './role.js';

/** Revokes a role that was assigned in this service. It takes effect with the user's next request. */
@commandEndpoint<RevokeRole, RolesOfUser>({
  restRoute: '/roles/revoke',
  requires: 'roles:admin',
  scope: ScopeFilters.Tenant,
})
export class RevokeRole implements Command {
  userId!: string & MinLength<1> & MaxLength<200>;
  role!: Role;
}
