import { commandEndpoint, ScopeFilters, type Command, type MaxLength, type MinLength } from '@svc/core';
import type { Role } from './role.js';

/** Gives somebody of one's own tenant a role. It counts from their next request on. */
@commandEndpoint<AssignRole, RolesOfUser>({
  restRoute: '/roles/assign',
  requires: 'roles:admin',
  scope: ScopeFilters.Tenant,
})
export class AssignRole implements Command {
  userId!: string & MinLength<1> & MaxLength<200>;
  role!: Role;
}

/** The roles somebody has been given here, besides those that their token names. */
export interface RolesOfUser {
  userId: string;
  roles: string[];
}
