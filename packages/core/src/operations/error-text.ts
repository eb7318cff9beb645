import { recordedText, ServiceError } from '../errors/index.js';

/** The text of an error for operators and the system stream, without secrets. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return 'Something that is not an error was thrown.';
  const text = error instanceof ServiceError ? error.message : `${error.name}: ${error.message}`;
  return recordedText(text);
}
