import { permission, ServiceError, type Permission, type PerspectiveScope, type SecurityContext } from '@svc/core';

/** The identity that a credential stands for, as its issuer states it. */
export interface Identity {
  readonly scope: PerspectiveScope;
  /** The display name. */
  readonly userName?: string;
  readonly roles?: Iterable<string>;
  /** Permissions as `resource:action`; anything else makes the credential invalid. */
  readonly permissions?: Iterable<string>;
}

/** The permissions of each role: `{ clerk: ['orders:write'] }`. Other roles have none. */
export type RolePermissions = Readonly<Record<string, readonly (Permission | `${string}:${string}`)[]>>;

/** Reads the permissions of roles. An invalid permission fails here, not when a caller has the role. */
export function permissionsOfRoles(roles: RolePermissions): ReadonlyMap<string, readonly Permission[]> {
  return new Map(Object.entries(roles).map(([role, texts]) => [role, texts.map((text) => permission(text))]));
}

/** Returns the security context of an identity. Throws if a value cannot be recorded as it is. */
export function contextOf(
  { scope, userName, roles: names = [], permissions: texts = [] }: Identity,
  source: string,
  ofRoles: ReadonlyMap<string, readonly Permission[]>,
): SecurityContext {
  const roles = new Set(names);
  const { allowedPrincipals = [], extensions = {}, ...values } = scope;
  for (const text of [...Object.values(values), ...Object.values(extensions), userName]) {
    if (text !== undefined && !isPlain(text)) throw unusable('a value of the scope or a name', 'text');
  }
  // Lists are joined by commas in envelopes and audit records: a comma inside would turn one role into two.
  for (const text of [...roles, ...allowedPrincipals]) {
    if (!isPlain(text) || text.includes(',')) throw unusable('a role or principal', 'text without a comma');
  }
  const permissions = new Set([...texts].map((text) => permission(text)));
  for (const role of roles) for (const granted of ofRoles.get(role) ?? []) permissions.add(granted);
  return Object.freeze({ scope: Object.freeze(scope), roles, permissions, source, ...(userName && { userName }) });
}

/** Text that every storage can store, without characters that garble a log. */
function isPlain(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && text.isWellFormed() && !/\p{Cc}/u.test(text);
}

function unusable(what: string, wanted: string): ServiceError {
  return new ServiceError('SVC_INVALID_VALUE', `The identity has ${what} that is not plain ${wanted}.`);
}
