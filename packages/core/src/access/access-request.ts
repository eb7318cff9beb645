import type { Permission, ScopeFilters } from '../security/index.js';

/** The access that a caller requests: the permission and the resource. */
export interface AccessRequest {
  readonly requires: Permission;
  readonly resourceType: string;
  readonly resourceId?: string;
  /** The filters that restrict what the caller sees; `AccessGranted` records them. Default: none. */
  readonly filter?: ScopeFilters;
  /** Emits `AccessGranted` when access is granted; repetitions are counted (decision 0080). Default: false. */
  readonly recordGrant?: boolean;
  /** What the access is part of, such as an HTTP request: a grant is recorded once within it. Default: nothing. */
  readonly within?: object;
}

/** The access rules of an endpoint. Without `requires`, every authenticated caller is admitted. */
export interface Gate extends Omit<AccessRequest, 'requires'> {
  readonly requires: Permission | null;
  /** Whether callers need not authenticate. */
  readonly allowAnonymous: boolean;
  /** The values that the caller's scope must have. Default: none. */
  readonly scope?: ScopeFilters;
}
