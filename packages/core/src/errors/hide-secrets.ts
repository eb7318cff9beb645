import { ValidationError, type Issue } from './validation-error.js';

const hidden = '[secret]';
const mostErrors = 20;

/**
 * Removes the secrets of a command from the error that it raised, so that no log, record or response that quotes the error contains them. Changes
 * the error and its causes; returns another error if it cannot be changed.
 */
export function hideSecrets(error: unknown, secrets: readonly string[]): unknown {
  const pattern = patternOf(secrets);
  if (pattern === null) return error;
  if (typeof error === 'string') return error.replace(pattern, hidden);
  return hideInError(error, pattern, new Set());
}

/** Matches every secret as it is, in JSON and in a URL; null: there are none. */
function patternOf(secrets: readonly string[]): RegExp | null {
  const forms = new Set(secrets.flatMap(formsOf));
  if (forms.size === 0) return null;
  // The longest first: one secret can be the start of another.
  const sorted = [...forms].toSorted((a, b) => b.length - a.length);
  return new RegExp(sorted.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|'), 'g');
}

function formsOf(secret: string): string[] {
  if (secret === '') return [];
  const inUrl = encodeURIComponent(secret.toWellFormed());
  return [secret, JSON.stringify(secret).slice(1, -1), inUrl, inUrl.replaceAll('%20', '+')];
}

function hideInError(error: unknown, pattern: RegExp, seen: Set<unknown>): unknown {
  if (!(error instanceof Error) || seen.has(error) || seen.size >= mostErrors) return error;
  seen.add(error);
  try {
    for (const key of ['name', 'code', 'message', 'stack'] as const) hideInText(error, key, pattern);
    hideInParts(error, pattern, seen);
    return error;
  } catch {
    // The error is frozen.
    const { name, message, stack } = error;
    const replaced = new Error(message.replace(pattern, hidden));
    replaced.name = name.replace(pattern, hidden);
    if (stack !== undefined) replaced.stack = stack.replace(pattern, hidden);
    if ('code' in error && typeof error.code === 'string') Object.assign(replaced, { code: error.code });
    return replaced;
  }
}

function hideInText(error: Error, key: string, pattern: RegExp): void {
  const text: unknown = Reflect.get(error, key);
  if (typeof text !== 'string') return;
  const without = text.replace(pattern, hidden);
  if (without !== text) replace(error, key, without);
}

/** Hides the secrets in the causes, the errors of an `AggregateError`, and the issues of a `ValidationError`. */
function hideInParts(error: Error, pattern: RegExp, seen: Set<unknown>): void {
  if (error.cause !== undefined) {
    const cause =
      typeof error.cause === 'string' ? error.cause.replace(pattern, hidden) : hideInError(error.cause, pattern, seen);
    if (cause !== error.cause) replace(error, 'cause', cause);
  }
  if (error instanceof AggregateError) {
    const errors = error.errors.map((part: unknown) => hideInError(part, pattern, seen));
    if (errors.some((part, i) => part !== error.errors[i])) replace(error, 'errors', errors);
  }
  if (error instanceof ValidationError && error.issues.some((issue) => hides(issue, pattern))) {
    replace(
      error,
      'issues',
      error.issues.map((issue) => withoutSecrets(issue, pattern)),
    );
  }
}

function withoutSecrets({ pointer, detail }: Issue, pattern: RegExp): Issue {
  return { pointer: pointer.replace(pattern, hidden), detail: detail.replace(pattern, hidden) };
}

function hides(issue: Issue, pattern: RegExp): boolean {
  const { pointer, detail } = withoutSecrets(issue, pattern);
  return pointer !== issue.pointer || detail !== issue.detail;
}

/** Also replaces a property that its class computes. */
function replace(error: Error, key: string, value: unknown): void {
  Object.defineProperty(error, key, { value, writable: true, configurable: true, enumerable: key === 'issues' });
}
