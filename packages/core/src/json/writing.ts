/** What generated writers call. JSON has no undefined, NaN or infinity: such a value is an error, never a silent null. */
import { ServiceError } from '../errors/index.js';
import { isWritableDate } from './formats.js';

/** Below this length a look at each character beats a call of `JSON.stringify`. */
const shortText = 42;

export function writeString(value: string): string {
  return `"${escaped(value)}"`;
}

/** What stands between the quotes of a string. */
export function escaped(value: string): string {
  if (typeof value !== 'string') throw unwritable(value, 'a string');
  if (value.length >= shortText) return JSON.stringify(value).slice(1, -1);
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code < 32 || code === 34 || code === 92 || (code >= 0xd800 && code <= 0xdfff)) {
      return JSON.stringify(value).slice(1, -1);
    }
  }
  return value;
}

export function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw unwritable(value, 'a finite number');
  return String(value);
}

export function writeBoolean(value: boolean): string {
  if (typeof value !== 'boolean') throw unwritable(value, 'a boolean');
  return value ? 'true' : 'false';
}

/** What stands between the quotes of a date. */
export function isoText(value: Date): string {
  if (!(value instanceof Date) || !isWritableDate(value)) throw unwritable(value, 'a date of the years 0 to 9999');
  return value.toISOString();
}

/** A value of a literal type: a string, number or boolean. */
export function writeLiteral(value: string | number | boolean): string {
  if (typeof value === 'string') return writeString(value);
  return typeof value === 'number' ? writeNumber(value) : writeBoolean(value);
}

/** Free JSON that is text already and goes out as it is: what was written once need not be parsed to be written again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Free JSON. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw unwritable(value, 'JSON');
  return text;
}

/** Called when no arm of a union fits the value. */
export function unwritable(value: unknown, expected: string): ServiceError {
  const found = value === null ? 'null' : typeof value;
  return new ServiceError('SVC_UNWRITABLE_VALUE', `Expected ${expected} to write as JSON, found ${found}.`);
}
