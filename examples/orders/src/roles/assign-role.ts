import { commandEndpoint, ScopeFilters, type Command, type MaxLength, type MinLength } from '@svc/core';
import type { Role } from './role.js';

/** Assigns a role to a user of the caller's tenant. It takes effect with the user's next request. */
@commandEndpoint<AssignRole, RolesOfUser>({
  restRoute: '/roles/assign',
  requires: 'roles:admin',
  scope: ScopeFilters.Tenant,
})
export class AssignRole implements Command {
  userId!: string & MinLength<1> & MaxLength<200>;
  role!: Role;
}

/** The roles assigned in this service, in addition to those of the user's token. */
export interface RolesOfUser {
  userId: string;
  roles: string[];
}
