/** Sign-in at an OpenID Connect issuer, which the page of the console does by itself: the host never sees a code or a password. */
import { isLoopback, ServiceError, type Service } from '@svc/core';
import type { OidcSignIn } from './contract/index.js';

/**
 * The OpenID Connect issuer at which users of the console sign in. Register the console there as a public client (authorization code with PKCE), with its
 * address as redirect URI: `https://shop.example/console`.
 */
export interface OidcOptions {
  /** The issuer, as its tokens name it: `https://id.example/realms/staff`. */
  readonly issuer: string;
  /** The id of the console at the issuer. */
  readonly clientId: string;
  /** What the page asks for, separated by spaces. It must contain `openid`. Default: `openid`. */
  readonly scope?: string;
  /** The API for which the issuer issues the access token (RFC 8707), for issuers that need it. Default: the issuer decides. */
  readonly resource?: string;
  /** Further parameters of the authorization request, such as `{ audience: 'orders' }`. Default: none. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Origins of endpoints that are not at the origin of the issuer, such as `https://oauth2.example`. The page connects to no others. Default: none. */
  readonly origins?: readonly string[];
}

/** Parameters that the page sets. */
const reserved = new Set([
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'redirect_uri',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
]);

/** What the page needs to know. Throws if a setting cannot work. */
export function oidcSignIn(options: OidcOptions): OidcSignIn {
  const { issuer, clientId, scope = 'openid', resource = null, parameters = {}, origins = [] } = options;
  const url = secureUrl('issuer', issuer);
  if (url.search !== '' || url.hash !== '') throw invalid(`oidc.issuer must have no query and no fragment: ${issuer}`);
  if (clientId === '') throw invalid('Set oidc.clientId to the id of the console at the issuer.');
  if (!scope.split(' ').includes('openid')) throw invalid(`oidc.scope must contain "openid", not "${scope}".`);
  const taken = Object.keys(parameters).find((name) => reserved.has(name));
  if (taken !== undefined) throw invalid(`oidc.parameters must not contain "${taken}": the page sets it.`);
  for (const origin of origins) {
    if (secureUrl('origins', origin).origin !== origin)
      throw invalid(`oidc.origins must contain origins such as "https://oauth2.example", not "${origin}".`);
  }
  return {
    issuer,
    clientId,
    scope,
    resource,
    parameters: { ...parameters },
    origins: [...new Set([url.origin, ...origins])],
  };
}

/** The page sends what the issuer issues as a bearer token, so the service must accept such tokens. */
export function requireBearer<TServices extends object>({ access }: Service<TServices>): void {
  if (access.authenticators.some(({ scheme }) => scheme.toLowerCase() === 'bearer')) return;
  throw invalid(
    'operatorConsole({ oidc }) needs an authenticator that accepts the tokens of the issuer. Call addAuthentication(jwtAuthentication({ … })).',
  );
}

/** Over http, a code or a token could be read on its way. */
function secureUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw invalid(`oidc.${name} must be a URL, not "${text}".`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(host))) return url;
  throw invalid(`oidc.${name} must be an https: URL; ${url.protocol} is for loopback addresses only.`);
}

function invalid(message: string): ServiceError {
  return new ServiceError('SVC_INVALID_AUTHENTICATION', message);
}
