import { ServiceError } from '../errors/index.js';
import type { SecurityContext } from '../security/index.js';

/** Looks up a header of a request; names in lower case. A header that was sent twice is both values, joined by a comma. */
export type Headers = (name: string) => string | undefined;

/** Who a credential belongs to, and until when it is valid. */
export interface Authenticated {
  readonly context: SecurityContext;
  /** When to ask again. Default, and at most: after five minutes. */
  readonly expiresAt?: Date;
}

/** Finds out who a caller is by one kind of credential. */
export interface Authenticator {
  /** How to ask for the credential, as the `WWW-Authenticate` header does: `Bearer`. */
  readonly scheme: string;
  /** The header of its own that the credential stands in. Absent: `authorization`, behind the scheme. */
  readonly header?: string;
  /** How to come by the credential, for the description of the API. */
  readonly description?: string;
  /** The credential of this kind in a request; null when it has none. */
  credentialIn(headers: Headers): string | null;
  /**
   * Whom a credential belongs to. Throws an `UnauthenticatedError` when it is not valid, an `AuthenticationUnavailableError` when that
   * cannot be told now.
   */
  authenticate(credential: string): Promise<Authenticated>;
}

/** Two authenticators for one place would each take the other's credentials for bad ones. */
export function requireDistinct(authenticators: readonly Authenticator[]): void {
  const places = new Set<string>();
  for (const { scheme, header } of authenticators) {
    const place = header?.toLowerCase() ?? `authorization: ${scheme.toLowerCase()}`;
    if (places.has(place)) {
      throw new ServiceError(
        'SVC_INVALID_AUTHENTICATION',
        `Two authenticators look for a credential in the same place (${place}). Register one of them.`,
      );
    }
    places.add(place);
  }
}
