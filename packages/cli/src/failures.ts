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
  const shown = (text: string): void => terminal.error(paint(terminal.colors?.error, 'red', text));
  if (error instanceof UsageError) {
    shown(`${error.message}\n\nRun ${['svc', path, '--help'].filter((part) => part !== '').join(' ')} for details.`);
    return ExitCode.usage;
  }
  if (!(error instanceof Rejection)) throw error;
  shown(error.message);
  return error.exitCode;
}
