/** The values of indexed properties: their limits, their order, and how callers write them. */
import { ServiceError } from '../../errors/index.js';
import { compareDecimal, isDecimal, longestDecimal, parseTimestamp } from '../../json/index.js';
import type { IndexedType } from './perspective-table.js';

/** The value of an indexed property. Decimals are strings, timestamps milliseconds since 1970. Null: the model lacks the property. */
export type ColumnValue = string | number | boolean | null;

/** The most characters of an indexed string or a key. An index of PostgreSQL has 2,704 bytes for both, and a character up to three. */
export const longestIndexedText = 400;

/** All databases support years of four digits. */
const firstTime = Date.parse('0001-01-01T00:00:00Z');
const lastTime = Date.parse('9999-12-31T23:59:59.999Z');

/** The value of an indexed property, of a model or of its JSON. Throws if it cannot be indexed. */
export function columnValue(name: string, type: IndexedType, raw: unknown): ColumnValue {
  if (raw === undefined || raw === null) return null;
  const value = type === 'timestamp' ? timeOf(raw) : raw;
  if (!isOfType(type, value)) {
    throw new ServiceError(
      'SVC_INVALID_VALUE',
      `The property ${name} is indexed as ${type}, but its value is of another type, not well-formed, or longer than ${type === 'decimal' ? longestDecimal : longestIndexedText} characters.`,
    );
  }
  return value;
}

/** The value that a caller wrote; undefined if it is not of the type. */
export function columnValueOfText(type: IndexedType, text: string): ColumnValue | undefined {
  const value = readText(type, text);
  return value !== undefined && isOfType(type, value) ? value : undefined;
}

/** Whether every database accepts a string as a key and in an index. */
export function isIndexableText(text: string): boolean {
  return text.length <= longestIndexedText && isPlainText(text);
}

/** Whether every database can store a string: no U+0000, no lone surrogates. */
export function isPlainText(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

/** The order of a column: null first, then strings by code point, decimals by value. */
export function compareColumnValues(type: IndexedType, a: ColumnValue, b: ColumnValue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (type === 'decimal') return compareDecimal(a as string, b as string);
  if (type === 'text') return compareCodePoints(a as string, b as string);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order of UTF-8, which databases use. The order of JavaScript differs for characters of two code units. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left === right) continue;
    const [isHighLeft, isHighRight] = [isSurrogate(left), isSurrogate(right)];
    if (isHighLeft !== isHighRight) return isHighLeft ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function isOfType(type: IndexedType, value: unknown): value is ColumnValue {
  switch (type) {
    case 'text':
      return typeof value === 'string' && isIndexableText(value);
    case 'decimal':
      return typeof value === 'string' && value.length <= longestDecimal && isDecimal(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'timestamp':
      return typeof value === 'number' && value >= firstTime && value <= lastTime;
  }
}

function timeOf(raw: unknown): number | undefined {
  if (raw instanceof Date) return raw.getTime();
  return typeof raw === 'string' ? parseTimestamp(raw)?.getTime() : undefined;
}

const plainNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function readText(type: IndexedType, text: string): ColumnValue | undefined {
  if (type === 'text' || type === 'decimal') return text;
  if (type === 'timestamp') return timeOf(text);
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return plainNumber.test(text) ? Number(text) : undefined;
}
