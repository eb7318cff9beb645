import { ValidationError, type Issue } from './validation-error.js';

const hidden = '[secret]';
/** Databases and terminals show no such character. */
const placeholder = '\u0000';
const mostErrors = 20;

/**
 * Removes the secrets of a command from the error that it raised, so that no log, record or response that quotes the error contains them. Changes
 * the error and its causes; returns another error if it cannot be changed.
 */
export function hideSecrets(error: unknown, secrets: readonly string[]): unknown {
  const hide = hiding(secrets);
  if (hide === null) return error;
  if (typeof error === 'string') return hide(error);
  return hideInError(error, hide, new Set());
}

/** Removes secrets from a text. */
type Hide = (text: string) => string;

/** Hides every secret as it is, in JSON and in a URL; null: there are none. */
function hiding(secrets: readonly string[]): Hide | null {
  // The longest first: one secret can be the start of another.
  const forms = [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => b.length - a.length);
  if (forms.length === 0) return null;
  return (text) => {
    // A placeholder first: a short secret can be a part of the replacement.
    const without = forms.reduce((rest, form) => rest.replaceAll(form, placeholder), text);
    return without === text ? text : without.replaceAll(placeholder, hidden);
  };
}

function formsOf(secret: string): string[] {
  if (secret === '') return [];
  const inUrl = encodeURIComponent(secret.toWellFormed());
  return [secret, JSON.stringify(secret).slice(1, -1), inUrl, inUrl.replaceAll('%20', '+')];
}

function hideInError(error: unknown, hide: Hide, seen: Set<unknown>): unknown {
  if (!(error instanceof Error) || seen.has(error) || seen.size >= mostErrors) return error;
  seen.add(error);
  try {
    for (const key of ['name', 'code', 'message', 'stack'] as const) hideInText(error, key, hide);
    hideInParts(error, hide, seen);
    return error;
  } catch {
    // The error is frozen.
    const { name, message, stack } = error;
    const replaced = new Error(hide(message));
    replaced.name = hide(name);
    if (stack !== undefined) replaced.stack = hide(stack);
    if ('code' in error && typeof error.code === 'string') Object.assign(replaced, { code: hide(error.code) });
    return replaced;
  }
}

function hideInText(error: Error, key: string, hide: Hide): void {
  const text: unknown = Reflect.get(error, key);
  if (typeof text !== 'string') return;
  const without = hide(text);
  if (without !== text) replace(error, key, without);
}

/** Hides the secrets in the causes, the errors of an `AggregateError`, and the issues of a `ValidationError`. */
function hideInParts(error: Error, hide: Hide, seen: Set<unknown>): void {
  if (error.cause !== undefined) {
    const cause = typeof error.cause === 'string' ? hide(error.cause) : hideInError(error.cause, hide, seen);
    if (cause !== error.cause) replace(error, 'cause', cause);
  }
  if (error instanceof AggregateError) {
    const errors = error.errors.map((part: unknown) => hideInError(part, hide, seen));
    if (errors.some((part, i) => part !== error.errors[i])) replace(error, 'errors', errors);
  }
  if (error instanceof ValidationError && error.issues.some((issue) => hides(issue, hide))) {
    replace(
      error,
      'issues',
      error.issues.map((issue) => withoutSecrets(issue, hide)),
    );
  }
}

function withoutSecrets({ pointer, detail }: Issue, hide: Hide): Issue {
  return { pointer: hide(pointer), detail: hide(detail) };
}

function hides(issue: Issue, hide: Hide): boolean {
  const { pointer, detail } = withoutSecrets(issue, hide);
  return pointer !== issue.pointer || detail !== issue.detail;
}

/** Also replaces a property that its class computes. */
function replace(error: Error, key: string, value: unknown): void {
  Object.defineProperty(error, key, { value, writable: true, configurable: true, enumerable: key === 'issues' });
}
