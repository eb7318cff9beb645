import { loggedError } from './logged-error.js';

/** Reports an error to the console, without secrets. It is the default of `reportTo`. */
export function reportToConsole(error: unknown): void {
  const { name, code, message, stack = `${name}: ${message}` } = loggedError(error);
  console.error(code === undefined ? stack : `${code} ${stack}`);
}
