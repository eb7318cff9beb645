/** Reads credentials from HTTP requests, and writes the challenges of responses, for REST and GraphQL. */
import { AccessDeniedError, UnauthenticatedError, type Authenticator } from '@svc/core';

/** The part of an HTTP request that contains its headers. */
export interface HeaderedRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly raw: { readonly rawHeaders: readonly string[] };
}

/** Looks up a header by its name in lower case. */
type HeaderLookup = Parameters<Authenticator['credentialIn']>[0];

/**
 * The headers of a request, for authenticators. Node drops repeated values of some headers, but a proxy may have checked those: all values
 * are joined, so that no authenticator accepts them.
 */
export function headersOfRequest({ headers, raw: { rawHeaders } }: HeaderedRequest): HeaderLookup {
  return (name) => {
    const value = headers[name];
    if (value === undefined) return undefined;
    const values: string[] = [];
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      if (rawHeaders[i]!.toLowerCase() === name) values.push(rawHeaders[i + 1]!);
    }
    // A hook may have set the header, which is then only in the parsed headers.
    return values.length > 1 ? values.join(', ') : String(value);
  };
}

/** The `WWW-Authenticate` challenges for a caller that is not authenticated or not authorized: RFC 9110, section 11.3; for bearer tokens RFC 6750, section 3. */
export function challengesOf(error: unknown, authenticators: readonly Authenticator[]): readonly string[] {
  if (error instanceof AccessDeniedError) {
    const bearer = authenticators.find(({ scheme }) => scheme === 'Bearer');
    return bearer === undefined ? [] : [challenge(bearer, ['error="insufficient_scope"'])];
  }
  if (!(error instanceof UnauthenticatedError)) return [];
  return authenticators.map((authenticator) => {
    const { scheme } = authenticator;
    if (scheme !== 'Bearer' || error.scheme !== scheme) return challenge(authenticator, []);
    return challenge(authenticator, ['error="invalid_token"', `error_description="${quotable(error.message)}"`]);
  });
}

/** With where to get a credential, if that is configured: RFC 9728, section 5.1. */
function challenge({ scheme, header, resourceMetadata }: Authenticator, about: readonly string[]): string {
  const parameters = [
    ...(header === undefined ? [] : [`header="${header}"`]),
    ...about,
    ...(resourceMetadata === undefined ? [] : [`resource_metadata="${quotable(resourceMetadata.url)}"`]),
  ];
  return parameters.length === 0 ? scheme : `${scheme} ${parameters.join(', ')}`;
}

function quotable(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, '');
}
