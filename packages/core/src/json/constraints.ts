/**
 * Constraints that erase to nothing: they are soft brands, so a plain value is assignable to a constrained type, and the
 * generator turns them into checks. `quantity!: Int & Min<1>`, `code!: string & Pattern<'^[A-Z]{3}$'>`.
 */
declare const constraints: unique symbol;

interface Constraint<T> {
  readonly [constraints]?: T;
}

/** A whole number that a double carries exactly. */
export type Int = number & Constraint<{ integer: true }>;

/** Numbers and decimals: at least `N`. */
export type Min<N extends number> = Constraint<{ min: N }>;

/** Numbers and decimals: at most `N`. */
export type Max<N extends number> = Constraint<{ max: N }>;

/** Strings: at least `N` characters (code points). */
export type MinLength<N extends number> = Constraint<{ minLength: N }>;

/** Strings: at most `N` characters (code points). */
export type MaxLength<N extends number> = Constraint<{ maxLength: N }>;

/** Arrays and sets: at least `N` items. */
export type MinItems<N extends number> = Constraint<{ minItems: N }>;

/** Arrays and sets: at most `N` items. */
export type MaxItems<N extends number> = Constraint<{ maxItems: N }>;

/**
 * Strings: matches the regular expression (with the `u` flag), anywhere unless anchored. Without a `MaxLength` the string has at most 1,000
 * characters: what an expression costs can grow far faster than the text it is tried on.
 */
export type Pattern<P extends string> = Constraint<{ pattern: P }>;

/** The named string formats that are checked. */
export type FormatName =
  'email' | 'uri' | 'hostname' | 'ipv4' | 'ipv6' | 'date' | 'time' | 'date-time' | 'duration' | 'uuid';

/** Strings: in a named format. */
export type Format<F extends FormatName> = Constraint<{ format: F }>;

/** A length of time, ISO 8601: `PT1.5S`. `durationOf(milliseconds)` makes one. */
export type Duration = string & Format<'duration'>;

/** A clock that was set back measures a time below 0, which is no duration and could not be read again: it becomes 0. */
export function durationOf(milliseconds: number): Duration {
  return `PT${Math.round(Math.max(0, milliseconds)) / 1000}S`;
}
