/** What the table of a perspective looks like, as plain data: each database renders its DDL from it. */

/** What an indexed property holds. `number` is a double, `integer` is exact, `decimal` is exact at any length. */
export type IndexedType = 'text' | 'integer' | 'number' | 'decimal' | 'boolean' | 'timestamp';

/** A property of the model that can be filtered and sorted by. */
export interface PerspectiveColumn {
  /** The name of the property. */
  readonly name: string;
  readonly type: IndexedType;
}

export interface PerspectiveTable {
  readonly perspective: string;
  readonly columns: readonly PerspectiveColumn[];
}

/** The name of the table that is filled beside the one of a perspective, by the rebuild with this id. */
export function besideName(perspective: string, rebuildId: string): string {
  return `${perspective}~${rebuildId}`;
}

/** The perspective that a table belongs to, which may be one that is filled beside it. Names of classes have no `~`. */
export function perspectiveOfName(name: string): string {
  const end = name.indexOf('~');
  return end === -1 ? name : name.slice(0, end);
}

const longestPlainName = 40;

/**
 * What a perspective is called in a database: `OrderSummary` is `order_summary`. Names that could be taken for one another, or
 * are too long for an identifier, end in a hash, which no other name does: `_` before a digit.
 */
export function tableNameOf(name: string): string {
  const snake = snakeCase(name);
  const isPlain = /^[A-Z][A-Za-z0-9]*$/.test(name) && pascalCase(snake) === name && snake.length <= longestPlainName;
  if (isPlain) return snake;
  return `${snake.replace(/[^a-z0-9_]/g, '').slice(0, 24)}_0${hashOf(name)}`;
}

/** What the column of a property is called: `placedAt` is `p_placed_at`. The prefix keeps it apart from the columns of every table. */
export function columnNameOf(property: string): string {
  const snake = snakeCase(property);
  const isPlain =
    /^[a-z][A-Za-z0-9]*$/.test(property) && camelCase(snake) === property && snake.length <= longestPlainName;
  if (isPlain) return `p_${snake}`;
  return `p_${snake.replace(/[^a-z0-9_]/g, '').slice(0, 24)}_0${hashOf(property)}`;
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

/** FNV-1a of 64 bits: short, and the same everywhere. */
export function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const char of text) hash = ((hash ^ BigInt(char.codePointAt(0)!)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}
