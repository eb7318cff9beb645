import {
  ServiceError,
  UnauthenticatedError,
  type Authenticated,
  type Authenticator,
  type SecurityContext,
} from '@svc/core';
import { errors, jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import { contextOf, permissionsOfRoles, type Identity } from './identity.js';
import { invalidAuthentication } from './invalid-authentication.js';
import { identityOfClaims } from './jwt-claims.js';
import { jwtKeys } from './jwt-keys.js';
import type { JwtOptions } from './jwt-options.js';
import { resourceMetadataOf } from './protected-resource.js';

const scheme = 'Bearer';
const lastDate = 8.64e15;
const longestTolerance = 300;

/** Authenticates callers by the JSON Web Token in `Authorization: Bearer …`. A token without expiry (`exp`) is never valid. */
export function jwtAuthentication(options: JwtOptions): Authenticator {
  const { clockTolerance = 5, identity = identityOfClaims, protectedResource } = options;
  if (!(clockTolerance >= 0 && clockTolerance <= longestTolerance)) {
    throw invalidAuthentication(
      `clockTolerance must be between 0 and ${longestTolerance} seconds, not ${clockTolerance}.`,
    );
  }
  const { findKey, algorithms } = jwtKeys(options, options.algorithms);
  const checks = { ...checksOf(options), algorithms, clockTolerance };
  const ofRoles = permissionsOfRoles(options.roles ?? {});

  return {
    scheme,
    description: 'A JSON Web Token.',
    ...(protectedResource !== undefined && { resourceMetadata: resourceMetadataOf(protectedResource) }),
    credentialIn: (headers) => bearerTokenIn(headers('authorization') ?? ''),
    async authenticate(token): Promise<Authenticated> {
      let usableUntil = lastDate;
      const getKey: JWTVerifyGetKey = async (...of) => {
        const found = await findKey(...of);
        usableUntil = Math.min(usableUntil, found.usableUntil);
        return found.key;
      };
      const claims = await jwtVerify(token, getKey, checks).then(({ payload }) => payload, rejectToken);
      const found = await identity(claims);
      const expiresAt = new Date(Math.min((claims.exp! + clockTolerance) * 1000, usableUntil));
      return { context: contextFor(found), expiresAt };
    },
  };

  function contextFor(found: Identity | null): SecurityContext {
    if (found === null) throw invalidToken('The claims do not identify a user.');
    try {
      return contextOf(found, 'jwt', ofRoles);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'SVC_INVALID_VALUE') throw invalidToken(error.message);
      throw error;
    }
  }
}

/** The token after the scheme; null if the header has another scheme. */
function bearerTokenIn(header: string): string | null {
  const space = header.indexOf(' ');
  const end = space === -1 ? header.length : space;
  return header.slice(0, end).toLowerCase() === 'bearer' ? header.slice(end).replace(/^ +/, '') : null;
}

function checksOf({ issuer, audience, type }: JwtOptions): JWTVerifyOptions {
  for (const [name, value] of Object.entries({ issuer, audience })) {
    if (value === false || (value !== undefined && value.length > 0)) continue;
    throw invalidAuthentication(
      `Set the ${name} that tokens must have. Only ${name}: false accepts tokens with any ${name}.`,
    );
  }
  return {
    requiredClaims: ['exp'],
    ...(issuer !== false && { issuer: listOf(issuer) }),
    ...(audience !== false && { audience: listOf(audience) }),
    ...(type !== undefined && { typ: type }),
  };
}

function listOf(value: string | readonly string[]): string[] {
  return typeof value === 'string' ? [value] : [...value];
}

/** Errors of jose are about the token; all others are rethrown. */
function rejectToken(error: unknown): never {
  if (!(error instanceof errors.JOSEError)) throw error;
  // The message and fields can contain claims and header values of the token; the code and the claim's name cannot.
  const claim = error instanceof errors.JWTClaimValidationFailed ? ` (${error.claim})` : '';
  const isExpired = error instanceof errors.JWTExpired;
  throw invalidToken(error.code + claim, isExpired ? 'The token has expired.' : undefined);
}

/** The caller learns only whether the token has expired; the reason is for the log. */
function invalidToken(reason: string, message = 'The token is not valid.'): UnauthenticatedError {
  return new UnauthenticatedError(message, { scheme, cause: new Error(reason) });
}
