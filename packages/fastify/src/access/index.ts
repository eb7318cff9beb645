export { challenge } from './challenge.js';
export { restrictedTo, securityContextOf, type RestrictingHooks, type RouteAccess } from './restricted-to.js';
