/**
 * Checks of constraints, wrapped by generated readers around the value they read. Each passes the value on; a value that was
 * not of its type to begin with is undefined here, has its issue already, and gets no second one.
 */
import type { FormatName } from './constraints.js';
import { compareDecimal, describeFormat, isFormat, lengthOf } from './formats.js';
import type { Issues } from './issues.js';
import type { Decimal } from './scalar-types.js';

export function atLeast(value: number, bound: number, issues: Issues, key: string | null): number {
  if (value < bound) issues.add(key, `must be at least ${bound}`);
  return value;
}

export function atMost(value: number, bound: number, issues: Issues, key: string | null): number {
  if (value > bound) issues.add(key, `must be at most ${bound}`);
  return value;
}

export function decimalAtLeast(value: Decimal, bound: string, issues: Issues, key: string | null): Decimal {
  if (value !== undefined && compareDecimal(value, bound) < 0) issues.add(key, `must be at least ${bound}`);
  return value;
}

export function decimalAtMost(value: Decimal, bound: string, issues: Issues, key: string | null): Decimal {
  if (value !== undefined && compareDecimal(value, bound) > 0) issues.add(key, `must be at most ${bound}`);
  return value;
}

export function lengthAtLeast(value: string, bound: number, issues: Issues, key: string | null): string {
  // Counting code points is only worth it when code units do not settle the question.
  if (value !== undefined && (value.length < bound || lengthOf(value) < bound)) {
    issues.add(key, `must have at least ${bound} ${bound === 1 ? 'character' : 'characters'}`);
  }
  return value;
}

/** Wrapped innermost: a text that is too long is not passed on, so no pattern ever runs over it. */
export function lengthAtMost(value: string, bound: number, issues: Issues, key: string | null): string {
  if (value === undefined || value.length <= bound || lengthOf(value) <= bound) return value;
  issues.add(key, `must have at most ${bound} ${bound === 1 ? 'character' : 'characters'}`);
  return undefined as never;
}

export function matching(value: string, pattern: RegExp, issues: Issues, key: string | null): string {
  if (value !== undefined && !pattern.test(value)) issues.add(key, `must match the pattern ${pattern.source}`);
  return value;
}

export function formatted(value: string, format: FormatName, issues: Issues, key: string | null): string {
  if (value !== undefined && !isFormat(format, value)) issues.add(key, `must be ${describeFormat(format)}`);
  return value;
}

/** How many items a list may have; recorded for the list itself. */
export function itemsWithin(count: number, least: number, most: number, issues: Issues): void {
  if (count < least) issues.add(null, `must have at least ${least} ${least === 1 ? 'item' : 'items'}`);
  if (count > most) issues.add(null, `must have at most ${most} ${most === 1 ? 'item' : 'items'}`);
}
