import { ValidationError } from '../errors/index.js';
import { Issues } from './issues.js';

/**
 * Turns a parsed JSON value into a typed one, in place where that can be: the parsed value belongs to the reader. What is wrong
 * goes into `issues`; the returned value counts only when nothing was added.
 */
export type Reader<T> = (value: unknown, issues: Issues) => T;

/** Turns a typed value into JSON text. */
export type Writer<T> = (value: T) => string;

export interface ReadingOptions {
  /** Properties that the type does not have are no issue. Default: they are. */
  readonly passUnknown?: boolean;
  /** The value was stored: limits for what callers send do not apply to it. Default: false. */
  readonly isStored?: boolean;
}

/** Reads `value`, or throws a `ValidationError` that names everything wrong with it. */
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
