import { SignJWT } from 'jose';
import { invalidAuthentication } from './invalid-authentication.js';
import { identityOfClaims } from './jwt-claims.js';
import { secretFor } from './jwt-keys.js';

/** The caller that a token is for, as `identityOfClaims` reads it. */
export interface TokenHolder {
  readonly user: string;
  /** The display name. */
  readonly name?: string;
  readonly tenant?: string;
  readonly roles?: readonly string[];
  /** Permissions as `resource:action`. */
  readonly permissions?: readonly string[];
  /** Further claims. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** What signs a token: the options of the `jwtAuthentication` that accepts it. */
export interface TokenSigning {
  readonly secret: string | Uint8Array;
  readonly issuer: string;
  readonly audience: string;
  /** How long the token is valid, in minutes. Default: 60. */
  readonly minutes?: number;
}

const algorithm = 'HS256';

/**
 * Signs a token that `jwtAuthentication` with the same secret, issuer and audience accepts: for tests and trials. In production an identity
 * provider issues tokens.
 */
export async function signToken(holder: TokenHolder, signing: TokenSigning): Promise<string> {
  const { user, name, tenant, roles, permissions, claims = {} } = holder;
  const { secret, issuer, audience, minutes = 60 } = signing;
  if (!(minutes > 0 && Number.isFinite(minutes))) {
    throw invalidAuthentication(`The minutes of a token must be a number above 0, not ${minutes}.`);
  }
  const content = {
    ...claims,
    sub: user,
    ...(name !== undefined && { name }),
    ...(tenant !== undefined && { tenant_id: tenant }),
    ...(roles !== undefined && { roles: [...roles] }),
    ...(permissions !== undefined && { permissions: [...permissions] }),
  };
  if (user === '' || identityOfClaims(content) === null) {
    throw invalidAuthentication('A token needs a user, and its tenant, name, roles and permissions must be texts.');
  }
  const now = Math.floor(Date.now() / 1000);
  return await new SignJWT(content)
    .setProtectedHeader({ alg: algorithm })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + Math.ceil(minutes * 60))
    .sign(secretFor(secret, [algorithm]));
}
