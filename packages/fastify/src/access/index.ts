export { canaryHeader, type CanaryHeaderOptions } from './canary-header.js';
export { challenge } from './challenge.js';
export {
  restrictedTo,
  restrictingHooks,
  securityContextOf,
  type RestrictingHooks,
  type RestrictingOptions,
  type RouteAccess,
} from './restricted-to.js';
