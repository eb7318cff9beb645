import type { ModelTables } from './model-tables.js';
import type { Progress } from './progress.js';
import type { SegmentStanding } from '../perspective-standing.js';

/**
 * The part of a database in which several hosts process one perspective. Its tables are whole, or divided into segments. Each segment has its own
 * progress and stopped streams, and is read and committed to as tables with a `segment`.
 */
export interface SegmentStorage {
  /** How long a host must be behind the log before it divides a perspective among idle hosts. 0: it does so at once. */
  readonly divideAfterMs: number;
  /**
   * Divides whole tables at a progress. Throws a `PerspectiveMovedError` if they have changed since. False: they cannot be divided now, as while a
   * migration copies the models.
   */
  divide(tables: ModelTables, from: Progress, count: number): Promise<boolean>;
  /**
   * Makes divided tables whole. False: the segments are not at the same place, or a migration copies the models. Also false if they are stopped at
   * different events, unless a rebuild fills the tables: then the first stop of a stream counts for all of them.
   */
  unite(tables: ModelTables): Promise<boolean>;
  /** The standing of each segment, counted up to `limit` events; empty: the tables are whole. */
  readStandings(tables: ModelTables, limit: number): Promise<readonly SegmentStanding[]>;
}
