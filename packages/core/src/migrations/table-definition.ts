import { ServiceError } from '../errors/index.js';

/** What a column holds, in no database's words. A `decimal` is exact; `json` is text that holds JSON; `texts` is a list of them. */
export type ColumnType =
  'text' | 'texts' | 'integer' | 'number' | 'decimal' | 'boolean' | 'uuid' | 'timestamp' | 'json';

/** A column of a table. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether every row has a value. Default: false. */
  readonly required?: boolean;
  /** Where the value of rows that are there already comes from: a place inside a column of JSON. */
  readonly fill?: { readonly column: string; readonly path: readonly string[] };
}

/**
 * The shape of a table that can be rewritten while it serves. It has a key of one column, and a column of whole numbers (`revision`)
 * that every write sets to a number higher than those before it: what was written during a copy is found by it.
 */
export interface TableDefinition {
  readonly table: string;
  readonly key: string;
  readonly revision: string;
  readonly columns: readonly ColumnDefinition[];
  /** The columns of each index beside that of the key. */
  readonly indexes?: readonly (readonly string[])[];
  /** Changes when rows have to be made anew although the columns stay the same. */
  readonly version?: string;
  /** The perspective whose models it holds. When they are made anew of the events, its other tables go with this one. */
  readonly perspective?: string;
}

/** The same text for the same definition, whatever the order in which its properties were written. */
export function definitionText(definition: TableDefinition): string {
  const { table, key, revision, columns, indexes = [], version, perspective } = definition;
  // What is undefined is left out of the text.
  const plain = columns.map(({ name, type, required = false, fill }) => ({
    name,
    type,
    required,
    fill: fill && { column: fill.column, path: fill.path },
  }));
  return JSON.stringify({ table, key, revision, columns: plain, indexes, version, perspective });
}

const identifier = /^[a-z_][a-z0-9_]*$/i;
/** PostgreSQL cuts names at 63 bytes; `__backup` has to fit. */
const longestTable = 55;
const longestColumn = 63;

/** Names become part of SQL: what is not a plain name is refused, at registration. */
export function requireValidDefinition(
  item: string,
  { table, key, revision, columns, indexes = [] }: TableDefinition,
): void {
  const names = columns.map(({ name }) => name);
  const problem =
    (isName(table, longestTable)
      ? null
      : `"${table}" is not a valid table name (letters, digits and _, at most ${longestTable} characters)`) ??
    problemOf(names) ??
    missing([key, revision, ...indexes.flat(), ...columns.flatMap(({ fill }) => fill?.column ?? [])], names);
  if (problem !== null)
    throw new ServiceError('SVC_INVALID_MIGRATION', `Cannot run the migration ${item}: ${problem}.`);
}

function problemOf(names: readonly string[]): string | null {
  const wrong = names.find((name) => !isName(name, longestColumn));
  if (wrong !== undefined)
    return `"${wrong}" is not a valid column name (letters, digits and _, at most ${longestColumn} characters)`;
  const twice = names.find((name, i) => names.some((other, j) => j < i && other.toLowerCase() === name.toLowerCase()));
  return twice === undefined ? null : `two columns have the name "${twice}"`;
}

function missing(wanted: readonly string[], names: readonly string[]): string | null {
  const unknown = wanted.find((name) => !names.includes(name));
  return unknown === undefined ? null : `it has no column "${unknown}"`;
}

function isName(text: string, longest: number): boolean {
  return identifier.test(text) && text.length <= longest;
}
