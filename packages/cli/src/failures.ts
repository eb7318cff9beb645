import { paint } from './styles.js';
import { ExitCode, type Terminal } from './terminal.js';

/** A wrong command, option or argument. */
export class UsageError extends Error {}

/** A command that svc rejects or cannot run, with the reason. */
export class Rejection extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = ExitCode.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Reports an error of a command and returns the exit code. Rethrows an error that svc does not know. */
export function report(error: unknown, path: string, terminal: Terminal): ExitCode {
  if (error instanceof UsageError) {
    const help = ['svc', path, '--help'].filter((part) => part !== '').join(' ');
    return fail(`${error.message}\n\nRun ${help} for details.`, ExitCode.usage, terminal);
  }
  if (error instanceof Rejection) return fail(error.message, error.exitCode, terminal);
  throw error;
}

function fail(message: string, exitCode: ExitCode, terminal: Terminal): ExitCode {
  if (terminal.failure === undefined) terminal.error(paint(terminal.colors?.error, 'red', message));
  else terminal.failure(message, exitCode);
  return exitCode;
}
