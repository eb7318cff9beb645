import { ServiceError } from '@svc/core';
import { ExitCode, type Terminal } from '../terminal.js';

/** A wrong option or argument. */
export class UsageError extends Error {}

/** A command that svc rejects or cannot run, with the reason. */
export class Rejection extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = ExitCode.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Reports an error without secrets and returns the exit code. Rethrows an error that svc does not know. */
export function failed(
  command: string,
  error: unknown,
  redacted: (text: string) => string,
  terminal: Terminal,
): ExitCode {
  if (!(error instanceof Error)) throw error;
  if (error instanceof UsageError || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) {
    terminal.error(`${redacted(error.message)}\n\nRun svc ${command} --help for details.`);
    return ExitCode.usage;
  }
  if (error instanceof Rejection) {
    terminal.error(redacted(error.message));
    return error.exitCode;
  }
  if (!(error instanceof ServiceError)) throw error;
  const why = error.code === 'SVC_STORAGE_UNAVAILABLE' && error.cause instanceof Error ? ` ${error.cause.message}` : '';
  terminal.error(redacted(`${error.message}${why}`));
  return isUnreachable(error) ? ExitCode.unreachable : ExitCode.failed;
}

function isUnreachable({ code, cause }: ServiceError): boolean {
  if (code === 'SVC_OPERATION_NOT_RECORDED') return cause instanceof ServiceError && isUnreachable(cause);
  return code === 'SVC_STORAGE_UNAVAILABLE';
}
