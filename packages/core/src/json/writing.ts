/** Functions for generated writers. JSON has no undefined, NaN or infinity: such a value is an error, never a silent null. */
import { ServiceError } from '../errors/index.js';
import { isWritableDate } from './formats.js';

/** Below this length a loop over the characters is faster than `JSON.stringify`. */
const shortText = 42;

/** Writes a string, with quotes. */
export function writeString(value: string): string {
  return `"${escaped(value)}"`;
}

/** Writes a string, escaped and without quotes. */
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

/** Writes a finite number. */
export function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw unwritable(value, 'a finite number');
  return String(value);
}

/** Writes a boolean. */
export function writeBoolean(value: boolean): string {
  if (typeof value !== 'boolean') throw unwritable(value, 'a boolean');
  return value ? 'true' : 'false';
}

/** Writes a date in ISO 8601, without quotes. */
export function isoText(value: Date): string {
  if (!(value instanceof Date) || !isWritableDate(value)) throw unwritable(value, 'a date of the years 0 to 9999');
  return value.toISOString();
}

/** Writes a value of a literal type: a string, number or boolean. */
export function writeLiteral(value: string | number | boolean): string {
  if (typeof value === 'string') return writeString(value);
  return typeof value === 'number' ? writeNumber(value) : writeBoolean(value);
}

/** JSON text that `writeJson` writes unchanged, so that stored JSON is not parsed and written again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Writes any JSON value. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw unwritable(value, 'JSON');
  return text;
}

/** The error for a value that cannot be written as its declared type. */
export function unwritable(value: unknown, expected: string): ServiceError {
  const found = value === null ? 'null' : typeof value;
  return new ServiceError(
    'SVC_UNWRITABLE_VALUE',
    `Cannot write the value as JSON: expected ${expected}, found ${found}.`,
  );
}
