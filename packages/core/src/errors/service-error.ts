import type { ErrorCode } from './error-codes.js';

/** The root of every error svc raises on purpose. The code is stable; the message says what happened, to what, and the mend. */
export class ServiceError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}
