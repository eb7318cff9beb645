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

/** What the command is about does not exist in a database. */
export class NotFound extends Rejection {}

/** Reports an error of a command and returns the exit code. */
export async function report(error: unknown, path: string, terminal: Terminal): Promise<ExitCode> {
  if (error instanceof UsageError) {
    const help = ['svc', path, '--help'].filter((part) => part !== '').join(' ');
    return fail(`${error.message}\n\nRun ${help} for details.`, ExitCode.usage, terminal);
  }
  if (error instanceof Rejection) return fail(error.message, error.exitCode, terminal);
  return fail(await unexpected(error, path), ExitCode.failed, terminal);
}

/** An error that svc does not know, without secrets. Its stack is for those who look for the defect. */
async function unexpected(error: unknown, path: string): Promise<string> {
  const { loggedError } = await import('@svc/core/hosting');
  const { name, message, code, stack } = loggedError(error);
  const what = `Unexpected error in ${['svc', path].join(' ').trimEnd()}: ${code ?? name}: ${message}`;
  if (process.env['SVC_DEBUG'] === '1') return `${what}\n\n${stack ?? ''}`.trimEnd();
  return `${what}\n\nRun it again with SVC_DEBUG=1 for the stack trace, and report it if it is a defect of svc.`;
}

function fail(message: string, exitCode: ExitCode, terminal: Terminal): ExitCode {
  if (terminal.failure === undefined) terminal.error(paint(terminal.colors?.error, 'red', message));
  else terminal.failure(message, exitCode);
  return exitCode;
}
