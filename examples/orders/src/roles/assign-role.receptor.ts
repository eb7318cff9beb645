import {
  CommandRejectedError,
  PermissionChangeType,
  type Receptor,
  type ReceptorContext,
  type SystemEventEmitter,
} from '@svc/core';
import type { AssignRole, RolesOfUser } from './assign-role.js';
import { permissionChanged } from './permission-changed.js';
import { RoleAssigned } from './role-events.js';
import { streamOf, tenantOf, UserRoles } from './user-roles.js';

export class AssignRoleReceptor implements Receptor<AssignRole, RolesOfUser> {
  readonly #emitter: SystemEventEmitter;

  constructor(emitter: SystemEventEmitter) {
    this.#emitter = emitter;
  }

  async receive({ userId, role }: AssignRole, context: ReceptorContext): Promise<RolesOfUser> {
    const user = await context.load(UserRoles, streamOf(tenantOf(context.envelope.scope), userId));
    const { roles } = user.state;
    if (roles.has(role)) throw new CommandRejectedError(`${userId} already has the role ${role}.`);
    user.append(new RoleAssigned(userId, role));
    const change = permissionChanged(userId, context, PermissionChangeType.RolesAdded, { rolesAdded: new Set([role]) });
    await this.#emitter.emit(change, { context });
    return { userId, roles: [...roles, role] };
  }
}
