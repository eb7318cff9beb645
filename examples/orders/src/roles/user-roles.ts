import { createHash } from 'node:crypto';
import { uuid, type EnvelopeScope, type StreamEvent, type Uuid } from '@svc/core';
import { RoleAssigned, RoleRevoked } from './role-events.js';

/** The tenant of callers without a tenant. */
const noTenant = 'default';

export interface UserRoles {
  readonly streamId: Uuid;
  readonly roles: ReadonlySet<string>;
  /** The position of the stream. Passed to `append`, it rejects concurrent changes. */
  readonly position: number;
}

/** Reads a stream: in the unit of work of a command, or from the event store. */
type ReadStream = (streamId: Uuid) => AsyncIterable<StreamEvent>;

export async function loadUserRoles(read: ReadStream, tenantId: string, userId: string): Promise<UserRoles> {
  const streamId = streamOf(tenantId, userId);
  const roles = new Set<string>();
  let position = -1;
  for await (const event of read(streamId)) {
    position = event.position;
    const { payload } = event.envelope;
    if (payload instanceof RoleAssigned) roles.add(payload.role);
    if (payload instanceof RoleRevoked) roles.delete(payload.role);
  }
  return { streamId, roles, position };
}

export function tenantOf(scope: EnvelopeScope | null): string {
  return scope?.['tenantId'] ?? noTenant;
}

/** Users have names, streams have UUIDs: the same user of the same tenant always has the same UUID (version 8). */
function streamOf(tenantId: string, userId: string): Uuid {
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
