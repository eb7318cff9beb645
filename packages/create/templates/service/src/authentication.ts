import type { Authenticator } from '@svc/core';
import { jwtAuthentication } from '@svc/http';

/** The issuer and audience of the tokens that `npm run token` prints. */
const development = 'template-service';

/** Accepts the tokens of your identity provider (`AUTH_JWKS_URL`), or those of `npm run token` (`AUTH_SECRET`). */
export function authentication(environment: NodeJS.ProcessEnv): Authenticator {
  const { AUTH_JWKS_URL: jwks, AUTH_SECRET: secret } = environment;
  const { AUTH_ISSUER: issuer = development, AUTH_AUDIENCE: audience = development } = environment;
  if (jwks !== undefined) return jwtAuthentication({ jwks, issuer, audience });
  if (secret !== undefined) return jwtAuthentication({ secret, issuer, audience });
  throw new Error('Set AUTH_JWKS_URL, AUTH_ISSUER and AUTH_AUDIENCE, or AUTH_SECRET for development.');
}
