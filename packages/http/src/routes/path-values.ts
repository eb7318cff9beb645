import type { PathParameters } from '@svc/core/hosting';
import type { Issues } from '@svc/core/json';

/** The parameters of a path, as a host has decoded them. */
export type PathValues = Readonly<Record<string, string | undefined>>;

/**
 * Adds the values of a path to the parsed body of its request, so that the reader validates all properties at once. A property has one place:
 * a body must not repeat it, because two values could differ.
 */
export function addPathValues(body: unknown, values: PathValues, parameters: PathParameters, issues: Issues): void {
  // The reader reports a body that is not an object.
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  for (const [name, kind] of Object.entries(parameters)) {
    const value = values[name] ?? '';
    if (Object.hasOwn(body, name)) issues.add(name, 'is in the path and must not be in the body');
    else if (value === '') issues.add(name, 'must not be empty in the path');
    Object.assign(body, { [name]: kind === 'integer' ? integerOr(value) : value });
  }
}

/** Another spelling stays a text, which the reader rejects: each integer has one path. */
function integerOr(text: string): string | number {
  return /^(?:0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : text;
}
