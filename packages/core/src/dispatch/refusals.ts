import { ServiceError } from '../errors/index.js';

/** Thrown by a receptor or hook when the business says no; the caller is told `message`. */
export class CommandRejectedError extends ServiceError {
  constructor(message: string, options?: ErrorOptions) {
    super('SVC_COMMAND_REJECTED', message, options);
  }
}

/** Thrown by a receptor or hook when what the command speaks of does not exist; the caller is told `message`. */
export class NotFoundError extends ServiceError {
  constructor(message: string, options?: ErrorOptions) {
    super('SVC_NOT_FOUND', message, options);
  }
}
