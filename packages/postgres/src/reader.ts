import { ServiceError } from '@svc/core';
import { StorageDamagedError, StorageUnavailableError } from '@svc/core/storage';
import type { Pool, QueryConfig } from 'pg';
import { CopyOut } from './copy-out.js';
import {
  isConnectionLost,
  isDamage,
  isRecoveryConflict,
  isRefusingWork,
  isTimeout,
  refusalReason,
} from './failures.js';
import { rawTypes } from './raw-types.js';
import type { Row } from './row.js';

export type Value = string | number | boolean | readonly string[] | readonly number[] | null;

/** Runs statements. */
export interface Queryable {
  rows(name: string | null, text: string, values?: readonly Value[]): Promise<Row[]>;
}

/** Runs statements that are safe to repeat. A statement with a name is prepared once per connection. */
export class Reader implements Queryable {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Retries once after a lost connection, because an idle connection may have been lost unnoticed, and after a conflict on a replica. `limitMs` replaces the usual time limit
   * for statements whose time grows with the data. After such a timeout there is no retry, because it would time out too.
   */
  async rows(name: string | null, text: string, values: readonly Value[] = [], limitMs?: number): Promise<Row[]> {
    return await this.#twice(() => this.#query(name, text, values, limitMs), limitMs);
  }

  /** Runs a `COPY … TO STDOUT (FORMAT binary)`. Calls `begin` before each attempt, and `onRow` for each row. */
  async copy(text: string, begin: () => void, onRow: (row: Buffer) => void): Promise<void> {
    await this.#twice(async () => {
      begin();
      // The types of the pool do not know statements that are not a configuration.
      await this.#pool.query(new CopyOut(text, onRow) as unknown as QueryConfig);
    });
  }

  async #twice<T>(run: () => Promise<T>, limitMs?: number): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const mayRetry = isConnectionLost(error) ? limitMs === undefined || !isTimeout(error) : isRecoveryConflict(error);
      if (!mayRetry) throw unavailableOr(error);
    }
    try {
      return await run();
    } catch (error) {
      throw unavailableOr(error);
    }
  }

  async #query(name: string | null, text: string, values: readonly Value[], limitMs?: number): Promise<Row[]> {
    const { rows } = await this.#pool.query<Row>({
      ...(name !== null && { name }),
      ...(limitMs !== undefined && { query_timeout: limitMs }),
      text,
      values: [...values],
      types: rawTypes,
    });
    return rows;
  }
}

function unavailableOr(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (isDamage(error)) return new StorageDamagedError(error);
  if (isConnectionLost(error) || isRecoveryConflict(error)) return new StorageUnavailableError('none', error);
  return isRefusingWork(error) ? new StorageUnavailableError('none', error, refusalReason(error)) : error;
}
