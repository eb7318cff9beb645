import { ServiceError } from '../errors/index.js';
import type { AccessDenialReason } from '../system-events/index.js';

export interface UnauthenticatedOptions extends ErrorOptions {
  /** The scheme of the credential that is not valid. */
  readonly scheme?: string;
}

/** Nobody knows who the caller is: no credential, or one that is not valid. The message says nothing that helps to guess one. */
export class UnauthenticatedError extends ServiceError {
  /** The scheme of the credential that is not valid; null when there was none. */
  readonly scheme: string | null;

  constructor(
    message = 'Show who you are: a valid credential is needed here.',
    { scheme, ...options }: UnauthenticatedOptions = {},
  ) {
    super('SVC_UNAUTHENTICATED', message, options);
    this.scheme = scheme ?? null;
  }
}

/** Whether a credential is valid cannot be told at the moment, because what it is checked against cannot be reached. */
export class AuthenticationUnavailableError extends ServiceError {
  constructor(options?: ErrorOptions) {
    const message = 'Who you are cannot be found out at the moment. Try again later.';
    super('SVC_AUTHENTICATION_UNAVAILABLE', message, options);
  }
}

/** The caller is known and may not do this. What would have been needed is in the system stream, not in the message. */
export class AccessDeniedError extends ServiceError {
  readonly reason: AccessDenialReason;

  constructor(reason: AccessDenialReason) {
    super('SVC_ACCESS_DENIED', 'You are not allowed to do this.');
    this.reason = reason;
  }
}
