import { ServiceError } from '../errors/index.js';
import type { SecurityContext } from '../security/index.js';

/** Looks up a header of a request by its name in lower case. The values of a repeated header are joined by commas. */
export type Headers = (name: string) => string | undefined;

/** The caller that a credential belongs to, and until when the result may be cached. */
export interface Authenticated {
  readonly context: SecurityContext;
  /** When the credential must be checked again. Default and maximum: in five minutes. */
  readonly expiresAt?: Date;
}

/** Tells clients where to get a credential (RFC 9728). */
export interface ResourceMetadata {
  /** Where the document is served, as clients see it: `https://api.example.com/.well-known/oauth-protected-resource`. */
  readonly url: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Authenticates callers by one kind of credential. */
export interface Authenticator {
  /** The scheme in the `WWW-Authenticate` header: `Bearer`. */
  readonly scheme: string;
  /** The header that contains the credential. Absent: `authorization`, after the scheme. */
  readonly header?: string;
  /** How to obtain the credential, for the description of the API. */
  readonly description?: string;
  /** The metadata of the protected resource, which challenges refer to. Absent: none is shown. */
  readonly resourceMetadata?: ResourceMetadata;
  /** The credential of this kind in a request; null if it has none. */
  credentialIn(headers: Headers): string | null;
  /**
   * Resolves with the caller that a credential belongs to. Throws `UnauthenticatedError` if it is invalid, and
   * `AuthenticationUnavailableError` if it cannot be checked at the moment.
   */
  authenticate(credential: string): Promise<Authenticated>;
}

/** Throws if two authenticators use the same place: each would reject the credentials of the other. */
export function requireDistinct(authenticators: readonly Authenticator[]): void {
  const places = new Set<string>();
  for (const { scheme, header } of authenticators) {
    const place = header?.toLowerCase() ?? `authorization: ${scheme.toLowerCase()}`;
    if (places.has(place)) {
      throw new ServiceError(
        'SVC_INVALID_AUTHENTICATION',
        `Two authenticators read credentials from the same place (${place}). Remove one of them.`,
      );
    }
    places.add(place);
  }
}
