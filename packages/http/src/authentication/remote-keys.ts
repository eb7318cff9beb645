import { AuthenticationUnavailableError } from '@svc/core';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  jwksCache,
  type FetchImplementation,
  type JWKSCacheInput,
} from 'jose';
import type { FindKey } from './found-key.js';
import { invalidAuthentication } from './invalid-authentication.js';
import type { KeySetOptions } from './jwt-options.js';

/** No fetch for this long after a failure: otherwise clients could flood the issuer by sending tokens. */
const pauseMs = 5_000;

/** The public keys of an issuer, by URL. If a fetch fails, tokens cannot be checked: a 503, because it is not the caller's fault. */
export function remoteKeys(
  jwks: string | URL,
  { timeout = 5, cooldown = 1, maxAge = 600 }: KeySetOptions = {},
): FindKey {
  const cache: JWKSCacheInput = {};
  const keys = createRemoteJWKSet(safeUrl(jwks), {
    [customFetch]: pausing((url, init) => fetch(url, init)),
    [jwksCache]: cache,
    timeoutDuration: timeout * 1000,
    cooldownDuration: cooldown * 1000,
    cacheMaxAge: maxAge * 1000,
  });
  const fetchedAt = (): number => (cache as { uat?: number }).uat ?? Number.POSITIVE_INFINITY;
  return async (header, token) => {
    try {
      const before = fetchedAt();
      const key = await keys(header, token);
      // Another request may have fetched the keys again in between: the earlier time is certain.
      return { key, usableUntil: Math.min(before, fetchedAt()) + maxAge * 1000 };
    } catch (error) {
      if (isAboutToken(error)) throw error;
      throw new AuthenticationUnavailableError({ cause: error });
    }
  };
}

/** If several keys fit, the token must name one by its `kid`. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

function pausing(fetchKeys: FetchImplementation): FetchImplementation {
  let failedAt = Number.NEGATIVE_INFINITY;
  return async (url, init) => {
    if (performance.now() - failedAt < pauseMs)
      throw new Error('The previous fetch of the key set failed a moment ago.');
    try {
      const response = await fetchKeys(url, init);
      const text = response.status === 200 ? await response.text() : '';
      requireKeySet(text);
      return new Response(text);
    } catch (error) {
      failedAt = performance.now();
      throw error;
    }
  };
}

/** A response that is no key set is a failure as well: without a pause every token would cause a fetch. */
function requireKeySet(text: string): void {
  const { keys } = JSON.parse(text) as { readonly keys?: unknown };
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'object' && key !== null))
    throw new Error('The response is not a key set.');
}

/** An attacker who changes the keys in transit could issue tokens, so they come over TLS or from this machine. */
function safeUrl(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(given) : null;
  if (url === null) throw invalidAuthentication('jwks must be a URL.');
  const isLoopback = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.[\d.]+$/.test(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)) return url;
  throw invalidAuthentication(`jwks must be an https: URL; ${url.protocol} is for loopback addresses only.`);
}
