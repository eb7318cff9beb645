import type { Authenticator, PerspectiveScope } from '@svc/core';
import { apiKeyAuthentication, identityOfClaims, jwtAuthentication, type ApiKey, type JwtOptions } from '@svc/fastify';
import { rolePermissions } from './roles/role.js';

/** The issuer and audience of the development script's tokens. */
export const developmentName = 'orders';

type Environment = Readonly<Record<string, string | undefined>>;
/** Finds the roles that a user was assigned in this service. */
export type RolesOf = (scope: PerspectiveScope) => Promise<Iterable<string>>;
export type Authentication = (rolesOf: RolesOf) => readonly Authenticator[];

/** The authentication configured by `AUTH_SECRET` or `AUTH_JWKS_URL`, and `API_KEYS`; null if none of them is set. */
export function authenticationFrom(environment: Environment): Authentication | null {
  const { AUTH_SECRET: secret, AUTH_JWKS_URL: jwks, API_KEYS: keys } = environment;
  if (secret !== undefined && jwks !== undefined) throw new Error('Set AUTH_SECRET or AUTH_JWKS_URL, not both.');
  const tokens = tokenOptions(environment);
  if (tokens === null && keys === undefined) return null;
  return (rolesOf) => [
    ...(tokens === null ? [] : [jwtAuthentication({ ...tokens, identity: withGivenRoles(rolesOf) })]),
    ...(keys === undefined ? [] : [apiKeyAuthentication({ keys: parseKeys(keys), roles: rolePermissions })]),
  ];
}

function tokenOptions(environment: Environment): JwtOptions | null {
  const { AUTH_SECRET: secret, AUTH_JWKS_URL: jwks, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience } = environment;
  const roles = rolePermissions;
  if (secret !== undefined) {
    return { secret, issuer: issuer ?? developmentName, audience: audience ?? developmentName, roles };
  }
  if (jwks === undefined) return null;
  if (issuer === undefined || audience === undefined) {
    throw new Error(
      'AUTH_JWKS_URL needs AUTH_ISSUER and AUTH_AUDIENCE. Set them to the issuer and the audience of the tokens.',
    );
  }
  return { jwks, issuer, audience, roles };
}

/** Adds the roles assigned with `AssignRole` to those of the token. */
function withGivenRoles(rolesOf: RolesOf): NonNullable<JwtOptions['identity']> {
  return async (claims) => {
    const identity = identityOfClaims(claims);
    if (identity === null) return null;
    return { ...identity, roles: new Set([...(identity.roles ?? []), ...(await rolesOf(identity.scope))]) };
  };
}

function parseKeys(text: string): ApiKey[] {
  try {
    return JSON.parse(text) as ApiKey[];
  } catch {
    // Without its content, which may contain a key.
    throw new Error('API_KEYS is not valid JSON. The script api-key prints an entry.');
  }
}
