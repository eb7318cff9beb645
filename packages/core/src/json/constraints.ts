/**
 * Constraints for types of messages: `quantity!: Int & Min<1>`, `code!: string & Pattern<'^[A-Z]{3}$'>`. The generator turns them into checks.
 * They exist in types only, and a plain value is assignable to a constrained type.
 */
declare const constraints: unique symbol;

interface Constraint<T> {
  readonly [constraints]?: T;
}

/** A whole number that a JSON number represents exactly. */
export type Int = number & Constraint<{ integer: true }>;

/** Requires a number or decimal of at least `N`. */
export type Min<N extends number> = Constraint<{ min: N }>;

/** Requires a number or decimal of at most `N`. */
export type Max<N extends number> = Constraint<{ max: N }>;

/** Requires a string of at least `N` characters (code points). */
export type MinLength<N extends number> = Constraint<{ minLength: N }>;

/** Requires a string of at most `N` characters (code points). */
export type MaxLength<N extends number> = Constraint<{ maxLength: N }>;

/** Requires an array or set of at least `N` items. */
export type MinItems<N extends number> = Constraint<{ minItems: N }>;

/** Requires an array or set of at most `N` items. */
export type MaxItems<N extends number> = Constraint<{ maxItems: N }>;

/**
 * Requires a string that matches a regular expression (with the `u` flag), anywhere unless anchored. Without a `MaxLength`, the string may
 * have at most 1,000 characters: the cost of an expression can grow far faster than the text.
 */
export type Pattern<P extends string> = Constraint<{ pattern: P }>;

/** The string formats that svc can check. */
export type FormatName =
  | 'email'
  | 'uri'
  | 'hostname'
  | 'ipv4'
  | 'ipv6'
  | 'date'
  | 'time'
  | 'date-time'
  | 'duration'
  | 'uuid';

/** Requires a string in a named format. */
export type Format<F extends FormatName> = Constraint<{ format: F }>;

/**
 * Marks a string of a command or request that svc writes nowhere: `cardToken!: string & Secret`. The receptor reads it; audit records contain
 * `"[secret]"`. The generator rejects it in events, models, states and results.
 */
export type Secret = Constraint<{ secret: true }>;

/**
 * Marks a property as personal data of a subject, which the named property of the same object identifies: `name!: (string & Personal<'customerId'>) | null`.
 * svc encrypts it with the key of the subject wherever it stores or sends it. After the subject was erased, it reads as null.
 */
export type Personal<Subject extends string> = Constraint<{ personal: Subject }>;

/** A duration in ISO 8601: `PT1.5S`. Create one with `durationOf(milliseconds)`. */
export type Duration = string & Format<'duration'>;

/** Converts milliseconds to a duration. Negative values, which a clock that was set back produces, become 0. */
export function durationOf(milliseconds: number): Duration {
  return `PT${Math.round(Math.max(0, milliseconds)) / 1000}S`;
}
