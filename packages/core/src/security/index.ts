export { isGranted, isPermission, permission, Permission } from './permission.js';
export { grantWithoutPermission } from './grant-without-permission.js';
export { meetsAnyOf } from './meets-any-of.js';
export {
  requireValidScope,
  reservedScopeNames,
  reactionsIn,
  reactionsName,
  scopeForLater,
  scopeOfValues,
  scopeValues,
  type PerspectiveScope,
} from './perspective-scope.js';
export { isLoopback, PlaintextRejectedError, plaintextText, requireTls, type PlannedConnection } from './plaintext.js';
export { scopeCondition, ScopeFilters, type ScopeCondition } from './scope-filters.js';
export {
  actsAsHost,
  anonymous,
  currentHostWork,
  currentSecurityContext,
  runAs,
  runAsHost,
  runWithoutCaller,
  scopeOf,
  type HostWork,
  type SecurityContext,
} from './security-context.js';
export { withoutPermissions } from './without-permissions.js';
