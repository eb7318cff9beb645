import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { UnauthenticatedError, type Authenticated, type Authenticator, type SecurityContext } from '@svc/core';
import { contextOf, permissionsOfRoles, type Identity, type RolePermissions } from './identity.js';
import { invalidAuthentication } from './invalid-authentication.js';

/** An API key, stored only as a hash, and the identity it stands for. */
export interface ApiKey extends Identity {
  /** `hashApiKey(key)`: 64 hexadecimal digits. */
  readonly sha256: string;
}

/** The identity that an API key stands for. */
export interface ApiKeyHolder extends Identity {
  /** When to look up the key again. Default and maximum: after five minutes. */
  readonly expiresAt?: Date;
}

/** The options of `apiKeyAuthentication`. */
export interface ApiKeyOptions {
  /** The header that has the key. Default: `x-api-key`. */
  readonly header?: string;
  /** The keys, or a function that finds the holder of a key by its lower-case hash; null if there is none. */
  readonly keys: readonly ApiKey[] | ((sha256: string) => ApiKeyHolder | null | Promise<ApiKeyHolder | null>);
  /** The permissions of each role, in addition to those of the key. */
  readonly roles?: RolePermissions;
}

const scheme = 'ApiKey';

/**
 * Authenticates callers by an API key in a header. svc has only hashes, so a leaked configuration or memory dump contains no usable key.
 * Plain SHA-256 is safe for random keys, such as those of `newApiKey`, but not for words chosen by a person.
 */
export function apiKeyAuthentication({ header = 'x-api-key', keys, roles = {} }: ApiKeyOptions): Authenticator {
  const name = header.toLowerCase();
  if (!/^[a-z0-9-]+$/.test(name) || name === 'authorization') {
    throw invalidAuthentication(
      `header ${JSON.stringify(header)} cannot carry API keys. Use a valid header name other than authorization.`,
    );
  }
  const ofRoles = permissionsOfRoles(roles);
  const toContext = (identity: Identity): SecurityContext => contextOf(identity, 'api-key', ofRoles);
  const find = typeof keys === 'function' ? lookingUp(keys, toContext) : among(keys, toContext);

  return {
    scheme,
    header: name,
    description: 'An API key.',
    credentialIn: (headers) => headers(name) ?? null,
    async authenticate(key) {
      const found = await find(createHash('sha256').update(key).digest());
      if (found === null) throw new UnauthenticatedError('The API key is not valid.', { scheme });
      return found;
    },
  };
}

/** Computes the hash of an API key, for `keys`. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Creates a random API key. Give the key to its user and configure only the hash. */
export function newApiKey(): { readonly key: string; readonly sha256: string } {
  const key = randomBytes(32).toString('base64url');
  return { key, sha256: hashApiKey(key) };
}

type Find = (hash: Buffer) => Promise<Authenticated | null>;
type ToContext = (identity: Identity) => SecurityContext;

function lookingUp(find: Exclude<ApiKeyOptions['keys'], readonly unknown[]>, toContext: ToContext): Find {
  return async (hash) => {
    const holder = await find(hash.toString('hex'));
    if (holder === null) return null;
    const { expiresAt, ...identity } = holder;
    return { context: toContext(identity), ...(expiresAt !== undefined && { expiresAt }) };
  };
}

function among(keys: readonly ApiKey[], toContext: ToContext): Find {
  const known = keys.map(({ sha256, ...identity }, i) => {
    if (!/^[0-9a-f]{64}$/i.test(sha256)) {
      throw invalidAuthentication(`sha256 of API key ${i} is not 64 hexadecimal digits. Give the hash, not the key.`);
    }
    return { hash: Buffer.from(sha256, 'hex'), context: toContext(identity) };
  });
  if (new Set(keys.map(({ sha256 }) => sha256.toLowerCase())).size < keys.length) {
    throw invalidAuthentication('keys contains the same API key twice. Remove one of them.');
  }
  return (hash) => {
    let found: SecurityContext | null = null;
    // Compares every key, even after a match, so that the time does not depend on the keys.
    for (const { hash: other, context } of known) if (timingSafeEqual(hash, other)) found = context;
    return Promise.resolve(found === null ? null : { context: found });
  };
}
