export { AccessControl, type AccessRequest } from './access-control.js';
export { AccessDeniedError, UnauthenticatedError } from './access-errors.js';
export type { Authenticated, Authenticator, Headers } from './authenticator.js';
