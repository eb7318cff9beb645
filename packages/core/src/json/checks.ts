/**
 * Checks that generated readers apply to the value that they read. Each returns the value. A value of the wrong type is undefined here: its
 * issue is already recorded, and it gets no second one.
 */
import type { FormatName } from './constraints.js';
import { compareDecimal, describeFormat, isFormat, lengthOf } from './formats.js';
import type { Issues } from './issues.js';
import type { Decimal } from './scalar-types.js';

/** Records an issue if a number is below a bound. */
export function atLeast(value: number, bound: number, issues: Issues, key: string | null): number {
  if (value < bound) issues.add(key, `must be at least ${bound}`);
  return value;
}

/** Records an issue if a number is above a bound. */
export function atMost(value: number, bound: number, issues: Issues, key: string | null): number {
  if (value > bound) issues.add(key, `must be at most ${bound}`);
  return value;
}

/** Records an issue if a decimal is below a bound. */
export function decimalAtLeast(value: Decimal, bound: string, issues: Issues, key: string | null): Decimal {
  if (value !== undefined && compareDecimal(value, bound) < 0) issues.add(key, `must be at least ${bound}`);
  return value;
}

/** Records an issue if a decimal is above a bound. */
export function decimalAtMost(value: Decimal, bound: string, issues: Issues, key: string | null): Decimal {
  if (value !== undefined && compareDecimal(value, bound) > 0) issues.add(key, `must be at most ${bound}`);
  return value;
}

/** Records an issue if a text is too short. */
export function lengthAtLeast(value: string, bound: number, issues: Issues, key: string | null): string {
  // Code points are counted only if the number of code units does not decide.
  if (value !== undefined && (value.length < bound || lengthOf(value) < bound)) {
    issues.add(key, `must have at least ${bound} ${bound === 1 ? 'character' : 'characters'}`);
  }
  return value;
}

/** Records an issue if a text is too long. It is the innermost check: no pattern runs on a text that is too long. */
export function lengthAtMost(value: string, bound: number, issues: Issues, key: string | null): string {
  if (value === undefined || value.length <= bound || lengthOf(value) <= bound) return value;
  issues.add(key, `must have at most ${bound} ${bound === 1 ? 'character' : 'characters'}`);
  return undefined as never;
}

/** Records an issue if a text does not match a pattern. */
export function matching(value: string, pattern: RegExp, issues: Issues, key: string | null): string {
  if (value !== undefined && !pattern.test(value)) issues.add(key, `must match the pattern ${pattern.source}`);
  return value;
}

/** Records an issue if a text is not in a format. */
export function formatted(value: string, format: FormatName, issues: Issues, key: string | null): string {
  if (value !== undefined && !isFormat(format, value)) issues.add(key, `must be ${describeFormat(format)}`);
  return value;
}

/** Records an issue for a list that has too few or too many items. */
export function itemsWithin(count: number, least: number, most: number, issues: Issues): void {
  if (count < least) issues.add(null, `must have at least ${least} ${least === 1 ? 'item' : 'items'}`);
  if (count > most) issues.add(null, `must have at most ${most} ${most === 1 ? 'item' : 'items'}`);
}
