import { ServiceError } from '../errors/index.js';

/** Codes of errors that are caused by the content of a message: a retry would fail as well. */
const flaws: ReadonlySet<string> = new Set([
  'SVC_MALFORMED_JSON',
  'SVC_MALFORMED_CLOUD_EVENT',
  'SVC_INVALID_MESSAGE',
  'SVC_UNREADABLE_EVENT',
  'SVC_EVENT_VERSION_UNKNOWN',
  'SVC_UPCAST_FAILED',
  'SVC_SEALED_INPUT',
  'SVC_SUBJECT_MISSING',
]);

/** Whether an error is caused by the content of a message, not by a database or a key vault. */
export function isContentFlaw(error: unknown): boolean {
  return error instanceof ServiceError && flaws.has(error.code);
}
