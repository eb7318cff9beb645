import { scrubbedText, ServiceError } from '../errors/index.js';

const longestText = 2_000;

/** The text of an error for operators and the system stream, without secrets. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return 'Something that is not an error was thrown.';
  const text = error instanceof ServiceError ? error.message : `${error.name}: ${error.message}`;
  // Databases cannot store U+0000 or lone surrogates.
  return scrubbedText(text).slice(0, longestText).replaceAll('\0', '\uFFFD').toWellFormed();
}
