import { ValidationError } from '../errors/index.js';
import { Issues } from './issues.js';

/**
 * Converts a parsed JSON value to a typed one, in place where possible: the parsed value belongs to the reader. It records errors in
 * `issues`; the result is valid only if there are none.
 */
export type Reader<T> = (value: unknown, issues: Issues) => T;

/** Converts a typed value to JSON text. */
export type Writer<T> = (value: T) => string;

/** Options of `readOrThrow`. */
export interface ReadingOptions {
  /** Ignores unknown properties. Default: false, they are issues. */
  readonly passUnknown?: boolean;
  /** The value was stored: limits for requests do not apply. Default: false. */
  readonly isStored?: boolean;
}

/** Reads a value, or throws a `ValidationError` with all issues. */
export function readOrThrow<T>(
  reader: Reader<T>,
  value: unknown,
  { passUnknown = false, isStored = false }: ReadingOptions = {},
): T {
  const issues = new Issues(value, passUnknown, isStored);
  const result = reader(value, issues);
  if (issues.count > 0) throw new ValidationError(issues.list);
  return result;
}
