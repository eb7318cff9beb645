import { ValidationError } from '@svc/core';
import { isPoisonKey, issuesIn, parseJson } from '@svc/core/json';

/** The value of a JSON text; throws if it is not JSON, or if one of its keys could reach a prototype. */
export function parseUntrusted(text: string): unknown {
  const value = parseJson(text);
  requireSafeKeys(value, text);
  return value;
}

/** Throws if a key of a value could reach a prototype. `text` is the JSON of the value. */
export function requireSafeKeys(value: unknown, text: string): void {
  if (mayHavePoison(text)) rejectPoison(value);
}

/** A quick check: most texts have none of these and are not searched. */
function mayHavePoison(text: string): boolean {
  return text.includes('__proto__') || text.includes('constructor') || text.includes('\\u');
}

/** Rejects keys that could reach a prototype at any depth, even where no reader would see them. */
function rejectPoison(root: unknown): void {
  const issues = issuesIn(root, (_value, key) => (key !== null && isPoisonKey(key) ? 'is not allowed as a key' : null));
  if (issues.length > 0) throw new ValidationError(issues);
}
