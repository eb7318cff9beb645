import { scrubbedText, ServiceError } from '../errors/index.js';

const longestText = 2_000;

/** A failure as an operator reads it and as the system stream has it, without credentials. Errors of the service's own explain themselves. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return 'Something that is not an error was thrown.';
  const text = error instanceof ServiceError ? error.message : `${error.name}: ${error.message}`;
  // As every database can keep it.
  return scrubbedText(text).slice(0, longestText).replaceAll('\0', '\uFFFD').toWellFormed();
}
