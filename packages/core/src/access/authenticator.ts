import type { SecurityContext } from '../security/index.js';

/** Looks up a header of a request; names in lower case. */
export type Headers = (name: string) => string | undefined;

/** Who a credential belongs to, and until when it is valid. */
export interface Authenticated {
  readonly context: SecurityContext;
  readonly expiresAt?: Date;
}

/** Finds out who a caller is by one kind of credential. */
export interface Authenticator {
  /** How to ask for the credential, as the `WWW-Authenticate` header does: `Bearer`. */
  readonly scheme: string;
  /** The credential of this kind in a request; null when it has none. */
  credentialIn(headers: Headers): string | null;
  /** Whom a credential belongs to; throws an `UnauthenticatedError` when it is not valid. */
  authenticate(credential: string): Promise<Authenticated>;
}
