/**
 * SQLite has no exact decimals: they are stored as texts whose order is that of the numbers, and which are the same when the
 * numbers are. In front of the digits stands how many there are before the point; below zero every digit is turned round.
 */
export function sortableDecimal(decimal: string): string {
  const isNegative = decimal.startsWith('-');
  const [integer = '', decimals = ''] = (isNegative ? decimal.slice(1) : decimal).split('.');
  const whole = integer.replace(/^0+/, '');
  const fraction = withoutZerosAtEnd(decimals);
  const digits = `${String(whole.length).padStart(4, '0')}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  if (!isNegative || (whole === '' && fraction === '')) return `1${digits}`;
  // The end comes behind every digit: -5.1 is below -5.
  return `0${digits.replace(/\d/g, (digit) => String(9 - Number(digit)))}~`;
}

/** By a loop: a regular expression would try from every zero, and take the square of the length. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
