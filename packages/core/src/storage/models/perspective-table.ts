/** The definition of a perspective's table as plain data, from which each database renders its DDL. */
import { shortHash } from './short-hash.js';

/** The type of an indexed property. `number` is a double, `integer` and `decimal` are exact; a `decimal` has up to 1,000 characters. */
export type IndexedType = 'text' | 'integer' | 'number' | 'decimal' | 'boolean' | 'timestamp';

/** A property of the model that callers can filter and sort by. */
export interface PerspectiveColumn {
  /** The name of the property. */
  readonly name: string;
  readonly type: IndexedType;
}

/** The table of a perspective: its columns and its version. */
export interface PerspectiveTable {
  readonly perspective: string;
  readonly columns: readonly PerspectiveColumn[];
  /** Changes when models must be replayed from events. Null or absent: unknown. */
  readonly version?: string | null;
  /** The columns that svc itself uses. Absent: those of this version of svc. */
  readonly layout?: TableLayout;
}

/**
 * The columns that svc uses in a table. A `keyed` table identifies models by their key; it is read until its models are replayed into an `owned`
 * table, which identifies them by an id and has columns for key and owner.
 */
export type TableLayout = 'keyed' | 'owned';

/** The definition of a table as it is stored with it, so that hosts of other versions can read it. */
export function tableText({ columns, version = null }: Omit<PerspectiveTable, 'perspective'>): string {
  return JSON.stringify({ columns, version, layout: 'owned' satisfies TableLayout });
}

/** Parses a stored definition of a table. */
export function tableOfText(perspective: string, text: string): PerspectiveTable {
  const stored = JSON.parse(text) as readonly PerspectiveColumn[] | Omit<PerspectiveTable, 'perspective'>;
  // Definitions without a version are an array of columns.
  return Array.isArray(stored)
    ? { perspective, columns: stored as readonly PerspectiveColumn[], layout: 'keyed' }
    : { perspective, layout: 'keyed', ...(stored as Omit<PerspectiveTable, 'perspective'>) };
}

/** The layout of a table. */
export function layoutOf({ layout = 'owned' }: PerspectiveTable): TableLayout {
  return layout;
}

/** Whether a host with the definition `own` may write models to a table with another one. Columns may differ: they are filled from the models. */
export function isSameVersion(own: PerspectiveTable, other: PerspectiveTable): boolean {
  const [a, b] = [own.version ?? null, other.version ?? null];
  return layoutOf(own) === layoutOf(other) && (a === null || b === null || a === b);
}

/** The names of a perspective's tables, by content. */
export interface PerspectiveTableNames {
  readonly models: string;
  readonly sources: string;
  readonly snapshots: string;
}

/** The names in the database of the tables with this name, which is the perspective's for serving tables. */
export function tableNamesOf(tables: string): PerspectiveTableNames {
  const name = tableNameOf(tables);
  return { models: `svc_perspective_${name}`, sources: `svc_sources_${name}`, snapshots: `svc_snapshots_${name}` };
}

/** PostgreSQL truncates names at 63 bytes, and the prefix and suffix must fit: `svc_perspective_…__backup`. */
const longestPlainName = 38;
const longestPart = 20;

/**
 * The name of tables in a database: `order_summary` for `OrderSummary`. Names that would collide or exceed the limit of identifiers end in a
 * hash; no other name has `_` before a digit.
 */
export function tableNameOf(name: string): string {
  const snake = snakeCase(name);
  const isPlain = /^[A-Z][A-Za-z0-9]*$/.test(name) && pascalCase(snake) === name && snake.length <= longestPlainName;
  if (isPlain) return snake;
  return `${snake.replace(/[^a-z0-9_]/g, '').slice(0, longestPart)}_0${shortHash(name)}`;
}

/** The name of a property's column: `p_placed_at` for `placedAt`. The prefix distinguishes it from the columns of svc. */
export function columnNameOf(property: string): string {
  const snake = snakeCase(property);
  const isPlain =
    /^[a-z][A-Za-z0-9]*$/.test(property) && camelCase(snake) === property && snake.length <= longestPlainName;
  if (isPlain) return `p_${snake}`;
  return `p_${snake.replace(/[^a-z0-9_]/g, '').slice(0, longestPart)}_0${shortHash(property)}`;
}

function snakeCase(name: string): string {
  return name.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase();
}

function camelCase(snake: string): string {
  return snake.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function pascalCase(snake: string): string {
  return camelCase(`_${snake}`);
}
