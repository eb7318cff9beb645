import { loggedError } from './logged-error.js';

/** Where errors are reported to as long as nobody names a place: they are written as a log has them, and nothing else that they carry. */
export function reportToConsole(error: unknown): void {
  const { name, code, message, stack = `${name}: ${message}` } = loggedError(error);
  console.error(code === undefined ? stack : `${code} ${stack}`);
}
