import { scrubbedText } from './scrubbed-text.js';
import { ServiceError } from './service-error.js';

/** Error messages can contain what was sent: longer ones are truncated. */
const longestMessage = 2_000;
const longestName = 200;

/** An error as it is stored. */
export interface RecordedError {
  readonly errorName: string;
  readonly errorMessage: string;
}

/** Converts an error for the record: without secrets, as in logs, and in a form that every database can store. */
export function recordedError(error: unknown): RecordedError {
  if (!(error instanceof Error)) {
    return { errorName: typeof error, errorMessage: 'Something that is not an error was thrown.' };
  }
  return { errorName: recordedText(error.name, longestName), errorMessage: recordedText(error.message) };
}

/** The same under the code of the error, if it has one. */
export function recordedByCode(error: unknown): RecordedError {
  const recorded = recordedError(error);
  return error instanceof ServiceError ? { ...recorded, errorName: error.code } : recorded;
}

/** Converts a text for the record: without secrets, and truncated. */
export function recordedText(text: string, longest: number = longestMessage): string {
  // Scrubbed first: a truncated secret has another form. Databases cannot store U+0000 or lone surrogates.
  return scrubbedText(text).slice(0, longest).replaceAll('\0', '\uFFFD').toWellFormed();
}
