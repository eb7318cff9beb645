import { ServiceError } from '../errors/index.js';

const longestText = 2_000;

/** What an operator is told of a failure. Errors of the service's own explain themselves. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return 'Something that is not an error was thrown.';
  const text = error instanceof ServiceError ? error.message : `${error.name}: ${error.message}`;
  // As every database can keep it.
  return text.slice(0, longestText).replaceAll('\0', '\uFFFD').toWellFormed();
}
