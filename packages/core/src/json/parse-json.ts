import { ServiceError, ValidationError } from '../errors/index.js';
import { rememberText } from './inexact-numbers.js';
import { issuesIn } from './issues-in.js';

const escapedSurrogate = /\\u[dD][89a-fA-F]/;

/**
 * Parses JSON without silent loss. It rejects strings with half a surrogate pair, which UTF-8 cannot represent, and readers can check whether
 * a number was rounded.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ServiceError('SVC_MALFORMED_JSON', 'The text is not JSON.', { cause: error });
  }
  // The first test is much faster, and decides for most texts.
  if (text.includes('\\u') && escapedSurrogate.test(text)) rejectLoneSurrogates(value);
  rememberText(value, text);
  return value;
}

function rejectLoneSurrogates(root: unknown): void {
  const issues = issuesIn(root, loneSurrogateIn);
  if (issues.length > 0) throw new ValidationError(issues);
}

function loneSurrogateIn(value: unknown, key: string | null): string | null {
  if (key !== null && !key.isWellFormed()) return 'must not have half a surrogate pair in its key';
  return typeof value === 'string' && !value.isWellFormed() ? 'must not contain half a surrogate pair' : null;
}
