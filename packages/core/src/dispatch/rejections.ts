import { ServiceError } from '../errors/index.js';

/** Throw it in a receptor or hook to reject a command because of a business rule. The caller receives `message`. */
export class CommandRejectedError extends ServiceError {
  /** The business rule, for programs; null: callers have only the message. */
  readonly reason: string | null;

  constructor(message: string, { reason, ...options }: RejectionOptions = {}) {
    super('SVC_COMMAND_REJECTED', message, options);
    if (reason !== undefined && !validReason.test(reason)) {
      throw new RangeError(
        `The reason of a rejection has 1 to 100 lower-case letters, digits and hyphens, not ${JSON.stringify(reason)}.`,
      );
    }
    this.reason = reason ?? null;
  }
}

const validReason = /^[a-z0-9-]{1,100}$/;

/** Options of `CommandRejectedError`. */
export interface RejectionOptions extends ErrorOptions {
  /** The business rule, such as `room-taken`: 1 to 100 lower-case letters, digits and hyphens. Programs distinguish rejections by it. */
  readonly reason?: string;
}

/** Throw it in a receptor or hook if something that the command refers to does not exist. The caller receives `message`. */
export class NotFoundError extends ServiceError {
  constructor(message: string, options?: ErrorOptions) {
    super('SVC_NOT_FOUND', message, options);
  }
}
