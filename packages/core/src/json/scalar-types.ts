import { ServiceError } from '../errors/index.js';
import { isDecimal, isLowerCaseUuid, longestDecimal } from './formats.js';

declare const brand: unique symbol;

/** A UUID in lower case with hyphens. `newId()` makes one, `uuid(text)` takes one from outside. */
export type Uuid = string & { readonly [brand]: 'Uuid' };

/** A decimal number, exact because it stays a text: `12.50`. `decimal(text)` takes one of up to 1,000 characters from outside. */
export type Decimal = string & { readonly [brand]: 'Decimal' };

export function uuid(text: string): Uuid {
  if (isLowerCaseUuid(text)) return text as Uuid;
  const lowerCase = text.toLowerCase();
  if (!isLowerCaseUuid(lowerCase)) throw new ServiceError('SVC_INVALID_VALUE', 'The text is not a UUID.');
  return lowerCase as Uuid;
}

export function decimal(text: string): Decimal {
  if (text.length > longestDecimal || !isDecimal(text)) {
    throw new ServiceError(
      'SVC_INVALID_VALUE',
      `The text is not a decimal number such as 12.50, of at most ${longestDecimal} characters.`,
    );
  }
  return text as Decimal;
}
