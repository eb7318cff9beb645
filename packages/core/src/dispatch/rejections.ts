import { ServiceError } from '../errors/index.js';

/** Throw it in a receptor or hook to reject a command because of a business rule. The caller receives `message`. */
export class CommandRejectedError extends ServiceError {
  constructor(message: string, options?: ErrorOptions) {
    super('SVC_COMMAND_REJECTED', message, options);
  }
}

/** Throw it in a receptor or hook if something that the command refers to does not exist. The caller receives `message`. */
export class NotFoundError extends ServiceError {
  constructor(message: string, options?: ErrorOptions) {
    super('SVC_NOT_FOUND', message, options);
  }
}
