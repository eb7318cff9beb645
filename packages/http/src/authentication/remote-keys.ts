import { AuthenticationUnavailableError } from '@svc/core';
import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTVerifyGetKey } from 'jose';
import { invalidAuthentication } from './invalid-authentication.js';
import type { KeySetOptions } from './jwt-options.js';

/** No fetch for this long after a failure: otherwise clients could flood the issuer by sending tokens. */
const pauseMs = 5_000;

/** The public keys of an issuer, by URL. If a fetch fails, tokens cannot be checked: a 503, because it is not the caller's fault. */
export function remoteKeys(jwks: string | URL, { timeout, cooldown, maxAge }: KeySetOptions = {}): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(safeUrl(jwks), {
    [customFetch]: pausing((url, init) => fetch(url, init)),
    timeoutDuration: (timeout ?? 5) * 1000,
    cooldownDuration: (cooldown ?? 30) * 1000,
    cacheMaxAge: (maxAge ?? 600) * 1000,
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
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
      if (response.status !== 200) failedAt = performance.now();
      return response;
    } catch (error) {
      failedAt = performance.now();
      throw error;
    }
  };
}

/** An attacker who changes the keys in transit could issue tokens, so they come over TLS or from this machine. */
function safeUrl(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(given) : null;
  if (url === null) throw invalidAuthentication('jwks must be a URL.');
  const isLoopback = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.[\d.]+$/.test(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)) return url;
  throw invalidAuthentication(`jwks must be an https: URL; ${url.protocol} is for loopback addresses only.`);
}
