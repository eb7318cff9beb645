declare const brand: unique symbol;

/** A UUID in lower case with hyphens. Create one from a text with `uuid(text)`. */
export type Uuid = string & { readonly [brand]: 'Uuid' };

/** A decimal number as a text, which makes it exact: `12.50`. Create one from a text with `decimal(text)`. */
export type Decimal = string & { readonly [brand]: 'Decimal' };

/** Converts a text to a `Uuid` in lower case. Throws if it is not one. */
export function uuid(text: string): Uuid {
  const lowerCase = text.toLowerCase();
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(lowerCase)) return lowerCase as Uuid;
  throw new TypeError('The text is not a UUID such as 01912d68-783e-7a03-8467-5661c1243ad4.');
}

/** Converts a text to a `Decimal`. Throws if it is not one, or longer than 1,000 characters. */
export function decimal(text: string): Decimal {
  if (text.length <= 1000 && /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text)) return text as Decimal;
  throw new TypeError('The text is not a decimal number. Use a form such as 12.50, with at most 1,000 characters.');
}
