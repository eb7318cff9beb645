import { ServiceError } from '@svc/core';
import { ExitCode, type Terminal } from '../terminal.js';

/** A wrong option or argument. */
export class UsageError extends Error {}

/** What a command does not do, or cannot, and why. */
export class Refusal extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = ExitCode.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Says what went wrong, without what must not be seen, and answers with what the command ends with. What is not known is thrown on. */
export function failed(
  command: string,
  error: unknown,
  redacted: (text: string) => string,
  terminal: Terminal,
): ExitCode {
  if (!(error instanceof Error)) throw error;
  if (error instanceof UsageError || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) {
    terminal.error(`${redacted(error.message)}\n\nsvc ${command} --help tells more.`);
    return ExitCode.usage;
  }
  if (error instanceof Refusal) {
    terminal.error(redacted(error.message));
    return error.exitCode;
  }
  if (!(error instanceof ServiceError)) throw error;
  const why = error.code === 'SVC_STORAGE_UNAVAILABLE' && error.cause instanceof Error ? ` ${error.cause.message}` : '';
  terminal.error(redacted(`${error.message}${why}`));
  return isAway(error) ? ExitCode.unreachable : ExitCode.failed;
}

function isAway({ code, cause }: ServiceError): boolean {
  if (code === 'SVC_OPERATION_NOT_RECORDED') return cause instanceof ServiceError && isAway(cause);
  return code === 'SVC_STORAGE_UNAVAILABLE';
}
