export { AccessControl, type AccessControlOptions, type TenantMode } from './access-control.js';
export type { AccessRequest, Gate } from './access-request.js';
export {
  AccessDeniedError,
  AuthenticationUnavailableError,
  UnauthenticatedError,
  type UnauthenticatedOptions,
} from './access-errors.js';
export { actForTenants } from './acting-for-tenant.js';
export type { Authenticated, Authenticator, Headers, ResourceMetadata } from './authenticator.js';
