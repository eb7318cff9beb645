/** Readers of scalar types. Each records its issue at `key` (null: the value itself). */
import type { Issues } from './issues.js';
import type { Decimal, Uuid } from './scalar-types.js';
import { isDecimal, isLowerCaseUuid, longestDecimal, parseTimestamp, plainNotation } from './formats.js';

/** Reads a string. */
export function readString(value: unknown, issues: Issues, key: string | null): string {
  if (typeof value === 'string') return value;
  issues.expected(key, value, 'a string');
  return undefined as never;
}

/** Reads a boolean. */
export function readBoolean(value: unknown, issues: Issues, key: string | null): boolean {
  if (typeof value === 'boolean') return value;
  issues.expected(key, value, 'true or false');
  return undefined as never;
}

/** Reads a null. */
export function readNull(value: unknown, issues: Issues, key: string | null): null {
  if (value !== null) issues.expected(key, value, 'null');
  return null;
}

/** Reads one of several literals. */
export function readLiteral<T extends string | number | boolean>(
  value: unknown,
  literals: readonly T[],
  issues: Issues,
  key: string | null,
): T {
  if ((literals as readonly unknown[]).includes(value)) return value as T;
  const shown = literals.map((literal) => JSON.stringify(literal)).join(', ');
  issues.expected(key, value, literals.length === 1 ? shown : `one of ${shown}`);
  return undefined as never;
}

/** Reads a UUID, and converts it to lower case. */
export function readUuid(value: unknown, issues: Issues, key: string | null): Uuid {
  if (typeof value === 'string') {
    if (isLowerCaseUuid(value)) return value as Uuid;
    // Ids are compared as texts, so each has one spelling.
    const lowerCase = value.length === 36 ? value.toLowerCase() : value;
    if (isLowerCaseUuid(lowerCase)) return lowerCase as Uuid;
  }
  issues.expected(key, value, 'a UUID');
  return undefined as never;
}

/** Reads a decimal from a string, or from a number that was not rounded. */
export function readDecimal(value: unknown, issues: Issues, key: string | null): Decimal {
  if (typeof value === 'string') {
    // The length first: a text that is too long is not parsed.
    if (value.length > longestDecimal && !issues.isStored) {
      issues.add(key, `must have at most ${longestDecimal} characters`);
      return undefined as never;
    }
    if (isDecimal(value)) return value as Decimal;
  }
  if (typeof value === 'number') {
    if (Number.isFinite(value) && issues.isExact(value)) return plainNotation(value) as Decimal;
    issues.add(key, 'has more digits than a JSON number can carry; send it as a string');
  } else {
    issues.expected(key, value, 'a decimal number, as a string such as "12.50"');
  }
  return undefined as never;
}

/** Below this size no integer is rounded to another one. */
export const certainInteger = 1e15;

/** Reads an integer that a JSON number represents exactly. */
export function readInteger(value: unknown, issues: Issues, key: string | null): number {
  if (Number.isSafeInteger(value)) {
    const integer = value as number;
    if ((integer < certainInteger && integer > -certainInteger) || issues.isExact(integer)) return integer;
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value) && Number.isInteger(value)) {
    issues.add(key, 'must be an integer between -9007199254740991 and 9007199254740991');
  } else {
    issues.expected(key, value, 'an integer');
  }
  return undefined as never;
}

/** Reads a number. A fraction may be rounded to the nearest double; an integer that was rounded is rejected. */
export function readNumber(value: unknown, issues: Issues, key: string | null): number {
  if (typeof value === 'number' && Number.isFinite(value)) {
    if ((value < certainInteger && value > -certainInteger) || !Number.isInteger(value)) return value;
    if (issues.isExact(value)) return value;
    issues.add(key, 'is an integer that a JSON number cannot carry exactly');
  } else {
    issues.expected(key, value, 'a number');
  }
  return undefined as never;
}

/** Reads a date and time with an offset. */
export function readDate(value: unknown, issues: Issues, key: string | null): Date {
  const date = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (date !== undefined) return date;
  issues.expected(key, value, 'a date and time with offset, such as "2026-01-31T12:00:00Z"');
  return undefined as never;
}
