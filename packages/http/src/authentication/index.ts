export {
  apiKeyAuthentication,
  hashApiKey,
  newApiKey,
  type ApiKey,
  type ApiKeyHolder,
  type ApiKeyOptions,
} from './api-key-authentication.js';
export type { Identity, RolePermissions } from './identity.js';
export { jwtAuthentication } from './jwt-authentication.js';
export { identityOfClaims } from './jwt-claims.js';
export type { JwtClaims, JwtKeySource, JwtOptions, KeySetOptions } from './jwt-options.js';
export { signToken, type TokenHolder, type TokenSigning } from './sign-token.js';
export type { ProtectedResource } from './protected-resource.js';
