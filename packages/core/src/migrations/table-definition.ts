import { ServiceError } from '../errors/index.js';

/** The type of a column, independent of the database. A `decimal` is exact; `json` is a string of JSON; `texts` is a list of strings. */
export type ColumnType =
  | 'text'
  | 'texts'
  | 'integer'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'uuid'
  | 'timestamp'
  | 'json';

/** A column of a table. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether every row has a value. Default: false. */
  readonly required?: boolean;
  /** The value for existing rows: a path in a column of JSON. */
  readonly fill?: { readonly column: string; readonly path: readonly string[] };
}

/**
 * The definition of a table that can be rewritten while it serves. It has a key of one column, and a column `revision` of whole numbers that
 * every write sets to a higher number than before, so that rows written during a copy are found.
 */
export interface TableDefinition {
  readonly table: string;
  readonly key: string;
  readonly revision: string;
  readonly columns: readonly ColumnDefinition[];
  /** The columns of each index, except that of the key. */
  readonly indexes?: readonly (readonly string[])[];
  /** Changes when rows must be replayed although the columns are the same. */
  readonly version?: string;
  /** The perspective whose models it contains. When they are replayed from events, its other tables are replaced together with this one. */
  readonly perspective?: string;
}

/** The canonical text of a definition: it does not depend on the order of properties. */
export function definitionText(definition: TableDefinition): string {
  const { table, key, revision, columns, indexes = [], version, perspective } = definition;
  // JSON omits undefined values.
  const plain = columns.map(({ name, type, required = false, fill }) => ({
    name,
    type,
    required,
    fill: fill && { column: fill.column, path: fill.path },
  }));
  return JSON.stringify({ table, key, revision, columns: plain, indexes, version, perspective });
}

const identifier = /^[a-z_][a-z0-9_]*$/i;
/** PostgreSQL truncates names at 63 bytes, and `__backup` must fit. */
const longestTable = 55;
const longestColumn = 63;

/** Names become part of SQL, so names that are not plain are rejected at registration. */
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
