import type { Int, Max, Min, Uuid } from '../../json/index.js';
import { newId, type SystemEvent } from '../../messages/index.js';
import type { Permission, PerspectiveScope } from '../../security/index.js';
import { auditEvent } from '../audit-attribute.js';

const reason = 'Security events are records themselves.';

/** The kind of change that a `PermissionChanged` reports. */
export const PermissionChangeType = {
  RolesAdded: 'RolesAdded',
  RolesRemoved: 'RolesRemoved',
  PermissionsAdded: 'PermissionsAdded',
  PermissionsRemoved: 'PermissionsRemoved',
  FullReassignment: 'FullReassignment',
} as const;
export type PermissionChangeType = (typeof PermissionChangeType)[keyof typeof PermissionChangeType];

/** Why access was denied. */
export const AccessDenialReason = {
  InsufficientPermission: 'InsufficientPermission',
  InsufficientRole: 'InsufficientRole',
  ScopeViolation: 'ScopeViolation',
  PolicyRejected: 'PolicyRejected',
} as const;
export type AccessDenialReason = (typeof AccessDenialReason)[keyof typeof AccessDenialReason];

/** Emitted when a caller has authenticated. */
@auditEvent({ exclude: true, reason })
export class ScopeContextEstablished implements SystemEvent {
  id: Uuid = newId();
  scope!: PerspectiveScope;
  roles!: ReadonlySet<string>;
  permissions!: ReadonlySet<Permission>;
  /** Where the context comes from, such as a token or a key. */
  source!: string;
  timestamp!: Date;
}

/** Emitted when the roles or permissions of a user changed. */
@auditEvent({ exclude: true, reason })
export class PermissionChanged implements SystemEvent {
  id: Uuid = newId();
  /** The user whose permissions changed. */
  userId!: string;
  tenantId!: string;
  changeType!: PermissionChangeType;
  rolesAdded?: ReadonlySet<string>;
  rolesRemoved?: ReadonlySet<string>;
  permissionsAdded?: ReadonlySet<Permission>;
  permissionsRemoved?: ReadonlySet<Permission>;
  changedBy!: string;
  timestamp!: Date;
}

/** Emitted when a caller was granted access to a resource. */
@auditEvent({ exclude: true, reason })
export class AccessGranted implements SystemEvent {
  id: Uuid = newId();
  resourceType!: string;
  resourceId?: string;
  usedPermission!: Permission;
  /** `ScopeFilters`, combined. */
  accessFilter!: Int & Min<0> & Max<31>;
  /** The scope at the time of access. */
  scope!: PerspectiveScope;
  /** How many grants this record represents: those that repeated an earlier one within a minute. Absent: one. */
  count?: Int & Min<1>;
  timestamp!: Date;
}

/** Emitted when a caller was denied access to a resource. */
@auditEvent({ exclude: true, reason })
export class AccessDenied implements SystemEvent {
  id: Uuid = newId();
  resourceType!: string;
  resourceId?: string;
  requiredPermission!: Permission;
  callerPermissions!: ReadonlySet<Permission>;
  callerRoles!: ReadonlySet<string>;
  scope!: PerspectiveScope;
  reason!: AccessDenialReason;
  /** How many denials this record represents: those that repeated an earlier one within a minute. Absent: one. */
  count?: Int & Min<1>;
  timestamp!: Date;
}

/** Emitted when a credential was rejected. The caller is unknown. */
@auditEvent({ exclude: true, reason })
export class AuthenticationFailed implements SystemEvent {
  id: Uuid = newId();
  /** The scheme of the credential, such as `Bearer`. */
  scheme!: string;
  /** How many credentials this record represents: those that were rejected within a minute after another one. Absent: one. */
  count?: Int & Min<1>;
  timestamp!: Date;
}
