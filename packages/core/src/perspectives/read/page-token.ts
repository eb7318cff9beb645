/**
 * The end of a page as an opaque string. It belongs to one list: a list in another order or with other filters rejects it. It does not contain
 * the owner, so a caller that forges it only gets another place in a list it may read.
 */
import {
  columnValue,
  isIndexableText,
  type ColumnCondition,
  type IndexedType,
  type ColumnValue,
  type ModelPlace,
  type ModelSort,
} from '../../storage/index.js';

/** A value and a key, which JSON and base64 can make eight times as long. */
const longestToken = 8_000;

export function writePageToken(
  perspective: string,
  sort: ModelSort,
  where: readonly ColumnCondition[],
  { value, key, owner }: ModelPlace,
): string {
  const place = owner === undefined ? [value, key] : [value, key, owner];
  return Buffer.from(JSON.stringify([listName(perspective, sort, where), ...place])).toString('base64url');
}

/** Undefined if the string is not a token of this list. */
export function readPageToken(
  perspective: string,
  sort: ModelSort,
  where: readonly ColumnCondition[],
  types: ReadonlyMap<string, IndexedType>,
  token: string,
): ModelPlace | undefined {
  if (token.length > longestToken || !/^[\w-]+$/.test(token)) return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    if (!Array.isArray(read) || read.length < 3 || read.length > 4) return undefined;
    const [name, value, key, owner] = read as unknown[];
    if (name !== listName(perspective, sort, where) || !isName(key) || (owner !== undefined && !isName(owner)))
      return undefined;
    const place = { value: placeValue(sort.column, types.get(sort.column)!, value), key };
    return owner === undefined ? place : { ...place, owner };
  } catch {
    return undefined;
  }
}

function isName(text: unknown): text is string {
  return typeof text === 'string' && isIndexableText(text);
}

/** Timestamps are numbers in a token. */
function placeValue(column: string, type: IndexedType, value: unknown): ColumnValue {
  if (type !== 'timestamp' || value === null) return columnValue(column, type, value);
  if (typeof value !== 'number') throw new TypeError('The timestamp of a page token must be a number.');
  return columnValue(column, type, new Date(value));
}

/** Identifies a list, so that a token of another one is rejected. */
function listName(perspective: string, { column, descending }: ModelSort, where: readonly ColumnCondition[]): string {
  const text = JSON.stringify([perspective, column, descending, where]);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(36);
}
