import { plainNotation } from './formats.js';

/**
 * `JSON.parse` rounds: `0.1000000000000000055` and `0.1` become the same number. What must be exact or refused (a `Decimal`,
 * an integer) has to know, so `parseJson` notes, for the rare text that has one, every number that is not what was written.
 */
const noted = new WeakMap<object, ReadonlySet<number>>();

const numberOrString = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function noteInexactNumbers(root: unknown, text: string): void {
  if (typeof root !== 'object' || root === null) return;
  const inexact = new Set<number>();
  for (const [token] of text.matchAll(numberOrString)) {
    if (!token.startsWith('"') && isRounded(token)) inexact.add(Number(token));
  }
  if (inexact.size > 0) noted.set(root, inexact);
}

/** The numbers of `root` that are not what its text said. */
export function inexactNumbersOf(root: unknown): ReadonlySet<number> | undefined {
  return typeof root === 'object' && root !== null ? noted.get(root) : undefined;
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
