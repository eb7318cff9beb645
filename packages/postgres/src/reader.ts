import { StorageDamagedError, StorageUnavailableError } from '@svc/core/storage';
import type { Pool } from 'pg';
import { isConnectionLost, isDamage, isRefusingWork, isTimeout, refusalReason } from './failures.js';
import { rawTypes } from './raw-types.js';
import type { Row } from './rows.js';

export type Value = string | number | boolean | readonly string[] | null;

/** Whoever a statement can be given to. */
export interface Asking {
  rows(name: string | null, text: string, values?: readonly Value[]): Promise<Row[]>;
}

/** Runs statements that may be run again when their answer got lost. Named ones are prepared once for each connection; null: not worth it. */
export class Reader implements Asking {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * A connection that was idle may have been lost unnoticed: reading is tried once more. `limitMs` is for a statement that takes the longer
   * the more there is, in place of the usual limit: what was not done in that time would not be the next time.
   */
  async rows(name: string | null, text: string, values: readonly Value[] = [], limitMs?: number): Promise<Row[]> {
    try {
      return await this.#query(name, text, values, limitMs);
    } catch (error) {
      if (!isConnectionLost(error) || (limitMs !== undefined && isTimeout(error))) throw unavailableOr(error);
    }
    try {
      return await this.#query(name, text, values, limitMs);
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
  if (isDamage(error)) return new StorageDamagedError(error);
  if (isConnectionLost(error)) return new StorageUnavailableError('none', error);
  return isRefusingWork(error) ? new StorageUnavailableError('none', error, refusalReason(error)) : error;
}
