import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import type { ScheduledCommand } from '../storage/index.js';

/** A scheduled command has failed, for the log: its cause is the error of the command, with its stack. */
export class ScheduledCommandFailedError extends ServiceError {
  readonly commandType: string;
  readonly commandId: Uuid;
  readonly attempt: number;

  /** `retryMs`: when the next attempt begins; null: the command is a dead letter. */
  constructor({ message: { type, id }, attempts }: ScheduledCommand, retryMs: number | null, error: unknown) {
    const attempt = attempts + 1;
    const outcome =
      retryMs === null
        ? 'It is a dead letter now. Fix the cause, then run "svc dead-letters replay".'
        : `The next attempt is in ${Math.ceil(retryMs / 1_000)} s.`;
    super(
      'SVC_SCHEDULED_COMMAND_FAILED',
      `The scheduled command ${type} (${id}) failed, attempt ${attempt}. ${outcome}`,
      { cause: error },
    );
    // Where svc noticed it says nothing: the log shows the stack of the cause.
    this.stack = `${this.name}: ${this.message}`;
    this.commandType = type;
    this.commandId = id;
    this.attempt = attempt;
  }
}
