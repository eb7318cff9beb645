import type { Permission, ScopeFilters } from '../security/index.js';

/** What a caller wants to reach. */
export interface AccessRequest {
  readonly requires: Permission;
  readonly resourceType: string;
  readonly resourceId?: string;
  /** The filters that narrow down what is seen; `AccessGranted` carries them. Default: none. */
  readonly filter?: ScopeFilters;
  /** Emits `AccessGranted` when access is granted; those that repeat one another are counted (decision 0080). Default: false. */
  readonly recordGrant?: boolean;
  /** What the access is part of, such as an HTTP request: one grant is recorded once in it. Default: it stands alone. */
  readonly within?: object;
}

/** What stands before an endpoint. Without `requires`, every authenticated caller may pass. */
export interface Gate extends Omit<AccessRequest, 'requires'> {
  readonly requires: Permission | null;
  /** Whether callers need not authenticate. */
  readonly allowAnonymous: boolean;
  /** The values that the caller's scope must have. Default: none. */
  readonly scope?: ScopeFilters;
}
