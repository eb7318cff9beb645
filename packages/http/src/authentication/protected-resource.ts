import type { ResourceMetadata } from '@svc/core/hosting';
import { invalidAuthentication } from './invalid-authentication.js';

/** What clients may know to get a token for this service (RFC 9728). Everything here is public. */
export interface ProtectedResource {
  /** The URL of the service as clients see it: `https://api.example.com/shop`. */
  readonly resource: string;
  /** The issuers that clients can get tokens from. */
  readonly authorizationServers: readonly string[];
  /** The scopes that clients can request. Default: not shown. */
  readonly scopes?: readonly string[];
  /** The name of the service, for people. Default: not shown. */
  readonly name?: string;
  /** The URL of a page for developers. Default: not shown. */
  readonly documentation?: string;
}

const wellKnown = '/.well-known/oauth-protected-resource';

/** The document of a protected resource, and its URL: the well-known path precedes the path of the resource. */
export function resourceMetadataOf(given: ProtectedResource): ResourceMetadata {
  const { resource, authorizationServers, scopes, name, documentation } = given;
  const { origin, pathname } = publicUrl('resource', resource);
  if (authorizationServers.length === 0) {
    throw invalidAuthentication('protectedResource.authorizationServers is empty. Name at least one issuer.');
  }
  for (const server of authorizationServers) publicUrl('authorizationServers', server);
  if (documentation !== undefined) publicUrl('documentation', documentation);
  return {
    url: origin + wellKnown + (pathname === '/' ? '' : pathname),
    document: {
      resource,
      authorization_servers: authorizationServers,
      bearer_methods_supported: ['header'],
      ...(scopes !== undefined && { scopes_supported: scopes }),
      ...(name !== undefined && { resource_name: name }),
      ...(documentation !== undefined && { resource_documentation: documentation }),
    },
  };
}

/** Clients send tokens to these URLs, so they need TLS, except on this machine. */
function publicUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLoopback = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback);
  if (url !== null && isSafe && !/[?#@"\s]/.test(text)) return url;
  throw invalidAuthentication(
    `protectedResource.${name} has ${JSON.stringify(text)}. Use an https: URL without credentials, query and fragment.`,
  );
}
