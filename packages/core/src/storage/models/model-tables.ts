import { newId } from '../../messages/index.js';
import type { Segment } from './segment.js';

/**
 * The role of a perspective's tables. `serving`: callers read from them. `rebuilding`: a rebuild fills them to replace the serving ones.
 * `migrating`: a migration does. `retained`: tables of another version have replaced them, and hosts of their own version continue to use them.
 */
export type TableRole = 'serving' | 'rebuilding' | 'migrating' | 'retained';

/** The tables of a perspective in one role: its models with their sources and snapshots. */
export interface ModelTables {
  readonly perspective: string;
  readonly role: TableRole;
  /** Unique in the database. Serving tables have the name of the perspective; other names have no meaning. */
  readonly name: string;
  /** The part of the models whose progress and stopped streams are meant. Absent: all of them. */
  readonly segment?: Segment;
}

/** Tables of a perspective. The name of the perspective means its serving tables. */
export type TablesRef = string | ModelTables;

/** Resolves the name of a perspective to its serving tables. */
export function asTables(tables: TablesRef): ModelTables {
  return typeof tables === 'string' ? { perspective: tables, role: 'serving', name: tables } : tables;
}

/** Names tables for a new rebuild, or for serving tables that are to be retained. */
export function newTables(perspective: string, role: 'rebuilding' | 'retained'): ModelTables {
  return { perspective, role, name: `${perspective}.${newId()}` };
}

/** Names tables for a migration to the definition with this hash, so that a host that resumes the migration finds them. */
export function migratingTables(perspective: string, hash: string): ModelTables {
  return { perspective, role: 'migrating', name: `${perspective}.${hash.slice(-12)}` };
}

/** How many retained tables a perspective may have. Two versions run concurrently: the serving one and the previous or next one. */
export const mostRetained = 2;
