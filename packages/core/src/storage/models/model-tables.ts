import { newId } from '../../messages/index.js';

/**
 * What the tables of a perspective are for. `serving`: callers read from them. `rebuilding`: a rebuild fills them, to replace those that serve.
 * `migrating`: a migration does. `retained`: they served before those of another version, and hosts of their own version go on with them.
 */
export type TableRole = 'serving' | 'rebuilding' | 'migrating' | 'retained';

/** The tables of a perspective in one role: its models with their sources and snapshots. */
export interface ModelTables {
  readonly perspective: string;
  readonly role: TableRole;
  /** No other tables of the database have it. Those that serve have the name of the perspective; others say nothing by theirs. */
  readonly name: string;
}

/** Tables of a perspective. Its name alone stands for those that serve. */
export type TablesRef = string | ModelTables;

/** Resolves the name of a perspective to its serving tables. */
export function asTables(tables: TablesRef): ModelTables {
  return typeof tables === 'string' ? { perspective: tables, role: 'serving', name: tables } : tables;
}

/** Tables for a new rebuild, or to retain what serves. */
export function newTables(perspective: string, role: 'rebuilding' | 'retained'): ModelTables {
  return { perspective, role, name: `${perspective}.${newId()}` };
}

/** Tables for a migration to a definition with this hash: whichever host goes on with it finds them. */
export function migratingTables(perspective: string, hash: string): ModelTables {
  return { perspective, role: 'migrating', name: `${perspective}.${hash.slice(-12)}` };
}

/** How many retained tables a perspective may have. Two versions run at a time: the one that serves, and the previous or the next one. */
export const mostRetained = 2;
