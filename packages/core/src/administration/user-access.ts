import type { FoundRecord } from '../audit/index.js';

/** The roles and permissions of a user, as far as the service knows them. */
export interface UserAccess {
  readonly userId: string | null;
  readonly tenantId: string | null;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
  /** Where they come from, such as a token or a key; null: the user has not authenticated. */
  readonly source: string | null;
  readonly seenAt: Date | null;
  /** The last `PermissionChanged` of the user. */
  readonly changedAt: Date | null;
  readonly changedBy: string | null;
}

interface EstablishedBody {
  readonly scope: { readonly userId?: string; readonly tenantId?: string };
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
  readonly source: string;
}

interface ChangedBody {
  readonly userId: string;
  readonly tenantId: string;
  readonly changedBy: string;
  readonly rolesAdded?: readonly string[];
  readonly permissionsAdded?: readonly string[];
}

/** The latest access of each user, from `ScopeContextEstablished` and `PermissionChanged`, both the newest first. */
export function latestAccess(
  established: readonly FoundRecord[],
  changed: readonly FoundRecord[],
): readonly UserAccess[] {
  const users = new Map<string, UserAccess>();
  for (const { record, entry } of established) {
    const { scope, roles, permissions, source } = JSON.parse(record.body) as EstablishedBody;
    const { userId = null, tenantId = null } = scope;
    const name = nameOf(userId, tenantId);
    if (users.has(name)) continue;
    users.set(name, {
      userId,
      tenantId,
      roles,
      permissions,
      source,
      seenAt: entry.at,
      changedAt: null,
      changedBy: null,
    });
  }
  for (const { record, entry } of changed) {
    const {
      userId,
      tenantId,
      changedBy,
      rolesAdded = [],
      permissionsAdded = [],
    } = JSON.parse(record.body) as ChangedBody;
    const name = nameOf(userId, tenantId);
    const known = users.get(name);
    if (known !== undefined && known.changedAt !== null) continue;
    // Of a user that has not authenticated, only the last change is known.
    const unseen = { userId, tenantId, roles: rolesAdded, permissions: permissionsAdded, source: null, seenAt: null };
    users.set(name, { ...(known ?? unseen), changedAt: entry.at, changedBy });
  }
  return [...users.values()];
}

function nameOf(userId: string | null, tenantId: string | null): string {
  return JSON.stringify([userId, tenantId]);
}
