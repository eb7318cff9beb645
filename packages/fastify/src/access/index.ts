export { canaryHeader, type CanaryHeaderOptions } from './canary-header.js';
export {
  restrictedTo,
  restrictingHooks,
  securityContextOf,
  type RestrictingOptions,
  type RouteAccess,
} from './restricted-to.js';
