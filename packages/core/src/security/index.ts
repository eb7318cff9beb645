export { isGranted, isPermission, permission, Permission } from './permission.js';
export { meetsCondition } from './meets-condition.js';
export { scopeOfValues, scopeValues, type PerspectiveScope } from './perspective-scope.js';
export { scopeCondition, ScopeFilters, type ScopeCondition } from './scope-filters.js';
export {
  anonymous,
  currentSecurityContext,
  runAs,
  runAsHost,
  scopeOf,
  type SecurityContext,
} from './security-context.js';
