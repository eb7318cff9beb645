import { ServiceError, ValidationError, type Issue } from '../errors/index.js';
import { noteInexactNumbers } from './inexact-numbers.js';

/** What makes a text worth a second look: an escaped surrogate, a long run of digits, a three-digit exponent. */
const suspicious = /\\u[dD][89a-fA-F]|[0-9.]{16}|[eE][+-]?[0-9]{3}/;

/**
 * `JSON.parse` that loses nothing without saying so: a string with half a surrogate pair is refused (it cannot be stored or
 * sent on as UTF-8), and numbers that may have been rounded are noted for the readers.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ServiceError('SVC_MALFORMED_JSON', 'The text is not JSON.', { cause: error });
  }
  if (suspicious.test(text)) {
    refuseLoneSurrogates(value);
    noteInexactNumbers(value, text);
  }
  return value;
}

function refuseLoneSurrogates(root: unknown): void {
  const issues: Issue[] = [];
  // An explicit stack: a text may nest deeper than functions can.
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
