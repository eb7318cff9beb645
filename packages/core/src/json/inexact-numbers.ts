import { plainNotation } from './formats.js';

/**
 * `JSON.parse` rounds: `0.1000000000000000055` and `0.1` become the same number. What must be exact or refused has to know, so
 * `parseJson` leaves the text with the value, under a symbol that no enumeration of keys sees. It is looked at only when a number
 * turns up whose exactness matters, which is rare.
 */
const sourceText = Symbol('source text');

export function rememberText(root: unknown, text: string): void {
  if (isRoot(root)) root[sourceText] = text;
}

/** The closing quote is always there; optional, it keeps the expression linear on any text. */
const numberOrString = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The numbers of a parsed value that are not what its text said; none when the text is not known. */
export function inexactNumbersOf(root: unknown): ReadonlySet<number> {
  const inexact = new Set<number>();
  const text = isRoot(root) ? (root[sourceText] ?? '') : '';
  for (const [token] of text.matchAll(numberOrString)) {
    if (!token.startsWith('"') && isRounded(token)) inexact.add(Number(token));
  }
  return inexact;
}

function isRoot(value: unknown): value is { [sourceText]?: string } {
  return typeof value === 'object' && value !== null;
}

function isRounded(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return true;
  const written = significance(literal);
  const kept = significance(plainNotation(value));
  return written.digits !== kept.digits || written.exponent !== kept.exponent;
}

/** A decimal literal as its significant digits and the power of ten of the last one, so that `1.50` and `15e-1` compare equal. */
function significance(literal: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = whole + fraction;
  const withoutTail = trimEndZeros(all);
  const digits = withoutTail.replace(/^0+/, '');
  if (digits === '') return { digits: '', exponent: 0 };
  return { digits, exponent: Number(power) - fraction.length + (all.length - withoutTail.length) };
}

function trimEndZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
