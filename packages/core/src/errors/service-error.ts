import type { ErrorCode } from './error-codes.js';

/** The base class of every error that svc throws on purpose: a stable code, and a message that says how to fix it. */
export class ServiceError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}
