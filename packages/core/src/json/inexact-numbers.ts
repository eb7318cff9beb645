/**
 * `JSON.parse` rounds `0.1000000000000000055` to `0.1`. Readers must reject such numbers, so `parseJson` attaches the text to the value under
 * a symbol. It is read only for numbers that may be rounded, which is rare.
 */
const sourceText = Symbol('source text');

export function rememberText(root: unknown, text: string): void {
  if (isRoot(root)) root[sourceText] = text;
}

/** The closing quote is always present; being optional in the expression, it makes the expression linear on any text. */
const numberOrString = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The numbers of a parsed value that differ from its text; none if the text is unknown. */
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

/** JSON.parse never rounds a number with so few digits, except one that is almost zero. */
const surelyExactDigits = 15;
const almostZero = 1e-300;

function isRounded(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return true;
  // Nearly all numbers. A text of a mebibyte has 200,000 of them.
  if (literal.length <= surelyExactDigits && Math.abs(value) >= almostZero) return false;
  const text = String(value);
  if (text === literal) return false;
  const written = significance(literal);
  const parsed = significance(text);
  return written.digits !== parsed.digits || written.exponent !== parsed.exponent;
}

/** The significant digits of a literal and the power of ten of the last one, so that `1.50` and `15e-1` compare equal. */
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
