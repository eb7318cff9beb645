import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { UnauthenticatedError, type Authenticated, type Authenticator, type SecurityContext } from '@svc/core';
import { contextOf, permissionsOfRoles, type Identity, type RolePermissions } from './identity.js';
import { invalidAuthentication } from './invalid-authentication.js';

/** A key, known by its hash alone, and whom it stands for. */
export interface ApiKey extends Identity {
  /** `hashApiKey(key)`: 64 hexadecimal digits. */
  readonly sha256: string;
}

/** Whom a key stands for. */
export interface ApiKeyHolder extends Identity {
  /** When to look the key up again. Default, and at most: after five minutes. */
  readonly expiresAt?: Date;
}

export interface ApiKeyOptions {
  /** Default: `x-api-key`. */
  readonly header?: string;
  /** The keys, or what finds the holder of a key by its hash in lower case; null when there is none. */
  readonly keys: readonly ApiKey[] | ((sha256: string) => ApiKeyHolder | null | Promise<ApiKeyHolder | null>);
  /** What each role may do, besides the permissions of the key itself. */
  readonly roles?: RolePermissions;
}

const scheme = 'ApiKey';

/**
 * Knows callers by a key in a header. Only hashes are held, so whoever reads the configuration or a dump of memory cannot act as a
 * caller. A plain SHA-256 is enough for keys that are random, as those of `newApiKey` are; a word somebody made up is no key.
 */
export function apiKeyAuthentication({ header = 'x-api-key', keys, roles = {} }: ApiKeyOptions): Authenticator {
  const name = header.toLowerCase();
  if (!/^[a-z0-9-]+$/.test(name) || name === 'authorization') {
    throw invalidAuthentication(`${JSON.stringify(header)} cannot be the header of API keys.`);
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

/** The hash of a key, as `keys` holds it. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** A key that nobody can guess. It is shown once, to whoever shall use it; its hash is what stays here. */
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
    throw invalidAuthentication('An API key is there twice.');
  }
  return (hash) => {
    let found: SecurityContext | null = null;
    // Every key is looked at, whether or not one was found: how long it takes says nothing of them.
    for (const { hash: other, context } of known) if (timingSafeEqual(hash, other)) found = context;
    return Promise.resolve(found === null ? null : { context: found });
  };
}
