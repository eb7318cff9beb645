/**
 * SQLite has no exact decimals. So they are stored as texts that are ordered like the numbers and equal if the numbers are equal. The text
 * starts with the number of digits before the point. For negative numbers, each digit is replaced by 9 minus the digit.
 */
export function sortableDecimal(decimal: string): string {
  const isNegative = decimal.startsWith('-');
  const [integer = '', decimals = ''] = (isNegative ? decimal.slice(1) : decimal).split('.');
  const whole = integer.replace(/^0+/, '');
  const fraction = withoutZerosAtEnd(decimals);
  const digits = `${String(whole.length).padStart(4, '0')}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  if (!isNegative || (whole === '' && fraction === '')) return `1${digits}`;
  // "~" sorts after every digit: -5.1 is less than -5.
  return `0${digits.replace(/\d/g, (digit) => String(9 - Number(digit)))}~`;
}

/** Uses a loop, because a regular expression would start at every zero and take quadratic time. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
