import { ServiceError } from '../errors/index.js';

/** Another request with the same idempotency key is running or was faster. Nothing of this one is committed. */
export class IdempotencyKeyInUseError extends ServiceError {
  constructor() {
    super(
      'SVC_IDEMPOTENCY_KEY_IN_USE',
      'Another request with the same idempotency key is in progress. Repeat this request in a moment to get its response.',
    );
  }
}
