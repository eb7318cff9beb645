import { ServiceError } from '../errors/index.js';
import { isDecimal, isLowerCaseUuid, longestDecimal } from './formats.js';

declare const brand: unique symbol;

/** A UUID in lower case with hyphens. Create one with `newId()`, or from a text with `uuid(text)`. */
export type Uuid = string & { readonly [brand]: 'Uuid' };

/** A decimal number as a text, which makes it exact: `12.50`. Create one with `decimal(text)`, of at most 1,000 characters. */
export type Decimal = string & { readonly [brand]: 'Decimal' };

/** Converts a text to a `Uuid` in lower case. Throws if it is not one. */
export function uuid(text: string): Uuid {
  if (isLowerCaseUuid(text)) return text as Uuid;
  const lowerCase = text.toLowerCase();
  if (!isLowerCaseUuid(lowerCase))
    throw new ServiceError('SVC_INVALID_VALUE', 'The text is not a UUID such as 01912d68-783e-7a03-8467-5661c1243ad4.');
  return lowerCase as Uuid;
}

/** A number of a library for exact arithmetic: bignumber.js, big.js and decimal.js have this form. */
export interface ExactNumber {
  /** The number as a text without an exponent. */
  toFixed(): string;
  plus(other: never): unknown;
}

/** Converts a text, or the result of a calculation, to a `Decimal`. Throws if it is not one, or longer than 1,000 characters. */
export function decimal(value: string | ExactNumber): Decimal {
  // The toFixed of a number rounds.
  if (typeof value === 'number') throw new ServiceError('SVC_INVALID_VALUE', 'A number is not exact. Pass a text.');
  const text = typeof value === 'string' ? value : value.toFixed();
  if (text.length > longestDecimal || !isDecimal(text)) {
    throw new ServiceError(
      'SVC_INVALID_VALUE',
      `The text is not a decimal number. Use a form such as 12.50, with at most ${longestDecimal} characters.`,
    );
  }
  return text as Decimal;
}
