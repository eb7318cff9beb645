import { ServiceError, type ErrorCode } from '../errors/index.js';

/**
 * An error of a reaction that a retry fixes only after some time, such as a limit of another system. svc waits that long, but not longer than the
 * reaction's `longestDelayMs`, and not shorter than without it.
 */
export class RetryAfterError extends ServiceError {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number, options?: ErrorOptions, code: ErrorCode = 'SVC_RETRY_AFTER') {
    super(code, message, options);
    this.retryAfterMs = retryAfterMs;
  }
}
