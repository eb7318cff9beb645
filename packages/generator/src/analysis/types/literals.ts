import { ts } from '../compiler.js';

export type Literal = string | number | boolean;

/** The value of a literal type or of an enum member; null for any other type. */
export function literalValue(type: ts.Type): Literal | null {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  if ((type.flags & ts.TypeFlags.BooleanLiteral) === 0) return null;
  return (type as { intrinsicName?: string }).intrinsicName === 'true';
}

/** Strings, numbers, booleans, each sorted and unique: the checker's order depends on which it met first. */
export function sortedLiterals(values: readonly Literal[]): Literal[] {
  return [...new Set(values)].toSorted(compareLiterals);
}

export function compareLiterals(a: Literal, b: Literal): number {
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

function rank(value: Literal): number {
  return typeof value === 'string' ? 0 : typeof value === 'number' ? 1 : 2;
}
