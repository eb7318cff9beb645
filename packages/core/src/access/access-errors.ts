import { ServiceError } from '../errors/index.js';
import type { AccessDenialReason } from '../system-events/index.js';

/** Options of `UnauthenticatedError`. */
export interface UnauthenticatedOptions extends ErrorOptions {
  /** The scheme of the invalid credential. */
  readonly scheme?: string;
}

/** The caller is not authenticated: it sent no credential, or an invalid one. The message must not help to guess one. */
export class UnauthenticatedError extends ServiceError {
  /** The scheme of the invalid credential; null if there was none. */
  readonly scheme: string | null;

  constructor(
    message = 'Authentication is required. Send a valid credential.',
    { scheme, ...options }: UnauthenticatedOptions = {},
  ) {
    super('SVC_UNAUTHENTICATED', message, options);
    this.scheme = scheme ?? null;
  }
}

/** A credential cannot be checked at the moment, because the identity provider or key store cannot be reached. */
export class AuthenticationUnavailableError extends ServiceError {
  constructor(options?: ErrorOptions) {
    const message = 'The credential cannot be checked at the moment. Try again later.';
    super('SVC_AUTHENTICATION_UNAVAILABLE', message, options);
  }
}

/** The caller is authenticated, but not authorized. The required permission is in the system stream, not in the message. */
export class AccessDeniedError extends ServiceError {
  readonly reason: AccessDenialReason;

  constructor(reason: AccessDenialReason) {
    super('SVC_ACCESS_DENIED', 'You are not allowed to do this.');
    this.reason = reason;
  }
}
