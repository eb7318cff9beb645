import {
  CommandRejectedError,
  PermissionChangeType,
  type Receptor,
  type ReceptorContext,
  type SystemEventEmitter,
} from '@svc/core';
import type { RolesOfUser } from './assign-role.js';
import { permissionChanged } from './permission-changed.js';
import type { RevokeRole } from './revoke-role.js';
import { RoleRevoked } from './role-events.js';
import { streamOf, tenantOf, UserRoles } from './user-roles.js';

export class RevokeRoleReceptor implements Receptor<RevokeRole, RolesOfUser> {
  readonly #emitter: SystemEventEmitter;

  constructor(emitter: SystemEventEmitter) {
    this.#emitter = emitter;
  }

  async receive({ userId, role }: RevokeRole, context: ReceptorContext): Promise<RolesOfUser> {
    const user = await context.load(UserRoles, streamOf(tenantOf(context.envelope.scope), userId));
    const { roles } = user.state;
    if (!roles.has(role))
      throw new CommandRejectedError(`${userId} was not assigned the role ${role} in this service.`);
    user.append(new RoleRevoked(userId, role));
    const rolesRemoved = new Set([role]);
    const change = permissionChanged(userId, context, PermissionChangeType.RolesRemoved, { rolesRemoved });
    await this.#emitter.emit(change, { context });
    return { userId, roles: [...roles].filter((other) => other !== role) };
  }
}
