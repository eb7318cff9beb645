import { ServiceError } from '../errors/index.js';
import type { AccessDenialReason } from '../system-events/index.js';

/** Nobody knows who the caller is: no credential, or one that is not valid. The message says nothing that helps to guess one. */
export class UnauthenticatedError extends ServiceError {
  constructor(message = 'Show who you are: a valid credential is needed here.', options?: ErrorOptions) {
    super('SVC_UNAUTHENTICATED', message, options);
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
