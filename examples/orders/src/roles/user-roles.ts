import { createHash } from 'node:crypto';
import { uuid, type Decider, type EnvelopeScope, type StreamEvent, type Uuid } from '@svc/core';
import type { Role } from './role.js';
import { RoleAssigned, RoleRevoked } from './role-events.js';

/** The tenant of callers without a tenant. */
const noTenant = 'default';

export interface UserRolesState {
  readonly roles: ReadonlySet<Role>;
}

export class UserRoles implements Decider<UserRolesState, RoleAssigned | RoleRevoked> {
  initial(): UserRolesState {
    return { roles: new Set() };
  }

  evolve({ roles }: UserRolesState, event: RoleAssigned | RoleRevoked): UserRolesState {
    if (event instanceof RoleAssigned) return { roles: new Set([...roles, event.role]) };
    return { roles: new Set([...roles].filter((role) => role !== event.role)) };
  }
}

/** The roles of a user outside of a command, from the events of the user's stream. */
export async function rolesIn(events: AsyncIterable<StreamEvent>): Promise<ReadonlySet<Role>> {
  const decider = new UserRoles();
  let state = decider.initial();
  for await (const { envelope } of events) {
    const { payload } = envelope;
    if (payload instanceof RoleAssigned || payload instanceof RoleRevoked) state = decider.evolve(state, payload);
  }
  return state.roles;
}

export function tenantOf(scope: EnvelopeScope | null): string {
  return scope?.['tenantId'] ?? noTenant;
}

/** Users have names, streams have UUIDs: the same user of the same tenant always has the same UUID (version 8). */
export function streamOf(tenantId: string, userId: string): Uuid {
  const hash = createHash('sha256')
    .update(JSON.stringify(['roles', tenantId, userId]))
    .digest('hex');
  const [a, b, c, d, e] = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(13, 16),
    hash.slice(17, 20),
    hash.slice(20, 32),
  ];
  return uuid(`${a}-${b}-8${c}-8${d}-${e}`);
}
