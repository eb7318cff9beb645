import type { FormatName } from './constraints.js';

// One class per digit: the regular expression engine runs it twice as fast as counts such as {8}.
const lowerCaseUuid = new RegExp(`^${[8, 4, 4, 4, 12].map((count) => '[0-9a-f]'.repeat(count)).join('-')}$`);

/** Whether a text is a UUID in lower case with hyphens. */
export function isLowerCaseUuid(text: string): boolean {
  return text.length === 36 && lowerCaseUuid.test(text);
}

/** The maximum length of a decimal in a request, with sign and point. Every storage can store, index and compare it. */
export const longestDecimal = 1_000;

/** Whether a text is a decimal: an optional minus, digits without a leading zero, and optionally a point and more digits. */
export function isDecimal(text: string): boolean {
  const start = text.charCodeAt(0) === minus ? 1 : 0;
  const point = endOfDigits(text, start);
  if (point === start || (text.charCodeAt(start) === zero && point > start + 1)) return false;
  if (point === text.length) return true;
  return text.charCodeAt(point) === fullStop && point + 1 < text.length && endOfDigits(text, point + 1) === text.length;
}

const minus = 45;
const fullStop = 46;
const zero = 48;
const nine = 57;

function endOfDigits(text: string, start: number): number {
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code < zero || code > nine) break;
  }
  return end;
}

/** Writes a finite number without an exponent: `1e21` as `1000000000000000000000`. */
export function plainNotation(value: number): string {
  const text = String(Object.is(value, -0) ? 0 : value);
  const [mantissa = '', power] = text.split('e');
  if (power === undefined) return text;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const exponent = Number(power);
  if (exponent > 0) return sign + whole + fraction.padEnd(exponent, '0');
  return `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`;
}

/** Compares two decimals exactly: negative, zero or positive if `text` is below, equal to or above `bound`. */
export function compareDecimal(text: string, bound: string): number {
  const a = split(text);
  const b = split(bound);
  if (a.negative !== b.negative) return a.negative ? -1 : 1;
  const scale = Math.max(a.fraction.length, b.fraction.length);
  const left = BigInt(a.whole + a.fraction.padEnd(scale, '0'));
  const right = BigInt(b.whole + b.fraction.padEnd(scale, '0'));
  const order = left < right ? -1 : left > right ? 1 : 0;
  return a.negative ? -order : order;
}

function split(text: string): { negative: boolean; whole: string; fraction: string } {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const isZero = /^[0.]*$/.test(text.replace('-', ''));
  return { negative: text.startsWith('-') && !isZero, whole, fraction };
}

/** The length of a text as JSON Schema counts it: a surrogate pair is one character. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length--;
      i++;
    }
  }
  return length;
}

const timestamp = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The first and the last instant whose year has four digits in UTC: others are written in a form that cannot be read. */
const firstInstant = Date.parse('0000-01-01T00:00:00Z');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a date is valid and can be read again after it was written. */
export function isWritableDate(date: Date): boolean {
  const instant = date.getTime();
  return instant >= firstInstant && instant <= lastInstant;
}

/** Parses an RFC 3339 timestamp with an offset; undefined if it is invalid. Fractions below a millisecond are truncated. */
export function parseTimestamp(text: string): Date | undefined {
  const match = timestamp.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const date = new Date(text.toUpperCase());
  return isWritableDate(date) ? date : undefined;
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return day <= days;
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const email =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;
const hostname = new RegExp(`^${label}(?:\\.${label})*$`, 'i');
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`);
const time = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const duration = /^-?P(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,9})?S)?)?$/;
const date = /^(\d{4})-(\d\d)-(\d\d)$/;

const checks: Record<FormatName, (text: string) => boolean> = {
  email: (text) => text.length <= 254 && email.test(text),
  // RFC 3986 allows ASCII only. Longer texts are rejected before parsing, whose cost is quadratic in the length of the host.
  uri: (text) => text.length <= 2048 && /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(text) && URL.canParse(text),
  hostname: (text) => text.length <= 253 && hostname.test(text),
  ipv4: (text) => ipv4.test(text),
  ipv6: (text) => text.length <= 45 && text.includes(':') && !text.includes('[') && URL.canParse(`http://[${text}]/`),
  date: (text) => {
    const match = date.exec(text);
    return match !== null && isDay(Number(match[1]), Number(match[2]), Number(match[3]));
  },
  time: (text) => time.test(text),
  'date-time': (text) => parseTimestamp(text) !== undefined,
  duration: (text) => duration.test(text),
  uuid: (text) => isLowerCaseUuid(text.toLowerCase()),
};

/** The name of each format in issues. */
const descriptions: Record<FormatName, string> = {
  email: 'an e-mail address',
  uri: 'an absolute URI of at most 2048 characters, all of them ASCII',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  date: 'a date such as "2026-01-31"',
  time: 'a time with offset such as "12:00:00Z"',
  'date-time': 'a date and time with offset, such as "2026-01-31T12:00:00Z"',
  duration: 'an ISO 8601 duration such as "PT1.5S"',
  uuid: 'a UUID',
};

export function isFormat(format: FormatName, text: string): boolean {
  return checks[format](text);
}

export function describeFormat(format: FormatName): string {
  return descriptions[format];
}
