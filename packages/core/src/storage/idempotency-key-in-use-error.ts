import { ServiceError } from '../errors/index.js';

/** Somebody else runs a command under the same idempotency key, or has run it meanwhile; nothing of this one is kept. */
export class IdempotencyKeyInUseError extends ServiceError {
  constructor() {
    super(
      'SVC_IDEMPOTENCY_KEY_IN_USE',
      'Another request with the same idempotency key is in progress. Repeat this request in a moment to get its response.',
    );
  }
}
