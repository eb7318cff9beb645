import {
  isAt,
  PerspectiveMovedError,
  type ModelTables,
  type Progress,
  type SegmentStanding,
  type SegmentStorage,
} from '@svc/core/storage';
import type { Pool } from 'pg';
import { holdTables } from './perspective-changes.js';
import type { PerspectiveTables } from './perspective-tables.js';
import type { Queryable } from './reader.js';
import { canUnite, divideTables, isCopied, lockSegments, makeWhole, uniteStopped } from './segment-statements.js';
import { readSegmentStandings } from './standings.js';
import { inTransaction } from './transaction.js';

/** Divides the tables of perspectives into segments, and makes them whole. */
export class PostgresSegments implements SegmentStorage {
  readonly divideAfterMs: number;
  readonly #pool: Pool;
  readonly #tables: PerspectiveTables;
  readonly #queryable: () => Queryable;

  /** `queryable`: runs the statements of standings. */
  constructor(pool: Pool, tables: PerspectiveTables, queryable: () => Queryable, divideAfterMs: number) {
    this.divideAfterMs = divideAfterMs;
    this.#pool = pool;
    this.#tables = tables;
    this.#queryable = queryable;
  }

  async divide(tables: ModelTables, from: Progress, count: number): Promise<boolean> {
    const { perspective, name } = tables;
    await this.#tables.make(tables);
    return await inTransaction(this.#pool, async (client) => {
      const recorded = await holdTables(client, tables);
      if (recorded === undefined || recorded.segments.length > 0 || !isAt(recorded, from)) {
        throw new PerspectiveMovedError(perspective, from.sequence, recorded?.sequence ?? -1);
      }
      this.#tables.requireOwnVersion(recorded);
      if (await isCopied(client, name)) return false;
      await divideTables(client, name, count);
      return true;
    });
  }

  async unite(tables: ModelTables): Promise<boolean> {
    const { name } = tables;
    await this.#tables.make(tables);
    return await inTransaction(this.#pool, async (client) => {
      // While models are copied, commits of segments wait for the record of the tables.
      if ((await holdTables(client, tables)) === undefined || (await isCopied(client, name))) return false;
      await lockSegments(client, name);
      const recorded = (await holdTables(client, tables))!;
      // Of tables that no caller has read yet, the first stop of each stream counts.
      const mustStopAlike = tables.role !== 'rebuilding';
      if (recorded.segments.length === 0 || !(await canUnite(client, name, mustStopAlike))) return false;
      await uniteStopped(client, name);
      await makeWhole(client, recorded);
      return true;
    });
  }

  async readStandings(tables: ModelTables, limit: number): Promise<readonly SegmentStanding[]> {
    await this.#tables.make(tables);
    return await readSegmentStandings(this.#queryable(), tables.name, limit);
  }
}
