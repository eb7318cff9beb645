/** What the table of a perspective looks like, as plain data: each database renders its DDL from it. */
import { shortHash } from './short-hash.js';

/** What an indexed property holds. `number` is a double, `integer` is exact, `decimal` is exact, of up to 1,000 characters. */
export type IndexedType = 'text' | 'integer' | 'number' | 'decimal' | 'boolean' | 'timestamp';

/** A property of the model that can be filtered and sorted by. */
export interface PerspectiveColumn {
  /** The name of the property. */
  readonly name: string;
  readonly type: IndexedType;
}

/** The table of a perspective: its columns and its version. */
export interface PerspectiveTable {
  readonly perspective: string;
  readonly columns: readonly PerspectiveColumn[];
  /** Changes when models have to be replayed from the events. Null or absent: nobody has said which it is. */
  readonly version?: string | null;
  /** Which columns svc itself needs in it. Absent: those of this version of svc. */
  readonly layout?: TableLayout;
}

/**
 * `keyed` tables know models by their key alone; they are read until the models have been replayed into an `owned` table, which knows them by
 * an id and has their key and owner as columns.
 */
export type TableLayout = 'keyed' | 'owned';

/** What a table looks like, as text that is stored with it: hosts of other versions find there what it is now. */
export function tableText({ columns, version = null }: Omit<PerspectiveTable, 'perspective'>): string {
  return JSON.stringify({ columns, version, layout: 'owned' satisfies TableLayout });
}

/** Reads what `tableText` has written. */
export function tableOfText(perspective: string, text: string): PerspectiveTable {
  const kept = JSON.parse(text) as readonly PerspectiveColumn[] | Omit<PerspectiveTable, 'perspective'>;
  // Before there were versions the columns stood alone.
  return Array.isArray(kept)
    ? { perspective, columns: kept as readonly PerspectiveColumn[], layout: 'keyed' }
    : { perspective, layout: 'keyed', ...(kept as Omit<PerspectiveTable, 'perspective'>) };
}

/** The layout of a table. */
export function layoutOf({ layout = 'owned' }: PerspectiveTable): TableLayout {
  return layout;
}

/** Whether a host that knows one of them may write models to the other. The columns do not matter: they are filled from the models. */
export function isSameVersion(own: PerspectiveTable, kept: PerspectiveTable): boolean {
  const [a, b] = [own.version ?? null, kept.version ?? null];
  return layoutOf(own) === layoutOf(kept) && (a === null || b === null || a === b);
}

/** The tables of a perspective, by what they hold. */
export interface PerspectiveTableNames {
  readonly models: string;
  readonly sources: string;
  readonly snapshots: string;
}

/** `tables`: the name of the tables, which is that of the perspective for those that serve. */
export function tableNamesOf(tables: string): PerspectiveTableNames {
  const name = tableNameOf(tables);
  return { models: `svc_perspective_${name}`, sources: `svc_sources_${name}`, snapshots: `svc_snapshots_${name}` };
}

/** PostgreSQL cuts names at 63 bytes: what stands before and behind them has to fit, `svc_perspective_…__backup`. */
const longestPlainName = 38;
const longestPart = 20;

/**
 * What tables are called in a database: those of `OrderSummary` are `order_summary`. Names that could be taken for one another, or
 * are too long for an identifier, end in a hash, which no other name does: `_` before a digit.
 */
export function tableNameOf(name: string): string {
  const snake = snakeCase(name);
  const isPlain = /^[A-Z][A-Za-z0-9]*$/.test(name) && pascalCase(snake) === name && snake.length <= longestPlainName;
  if (isPlain) return snake;
  return `${snake.replace(/[^a-z0-9_]/g, '').slice(0, longestPart)}_0${shortHash(name)}`;
}

/** What the column of a property is called: `placedAt` is `p_placed_at`. The prefix keeps it apart from the columns of every table. */
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
