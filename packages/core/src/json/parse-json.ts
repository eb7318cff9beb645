import { ServiceError, ValidationError, type Issue } from '../errors/index.js';
import { rememberText } from './inexact-numbers.js';

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
  const issues: Issue[] = [];
  // An explicit stack: a text may nest deeper than the call stack allows.
  const pending: { pointer: string; value: unknown }[] = [{ pointer: '', value: root }];
  for (let next = pending.pop(); next !== undefined && issues.length < 100; next = pending.pop()) {
    const { pointer, value } = next;
    if (typeof value === 'string') {
      if (!value.isWellFormed()) issues.push({ pointer, detail: 'must not contain half a surrogate pair' });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        if (!key.isWellFormed()) issues.push({ pointer, detail: 'must not have half a surrogate pair in a key' });
        else pending.push({ pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, value: item });
      }
    }
  }
  if (issues.length > 0) throw new ValidationError(issues);
}
