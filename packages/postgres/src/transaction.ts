import { ServiceError } from '@svc/core';
import { StorageUnavailableError } from '@svc/core/storage';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { isConnectionLost, isRefusingWork, isToDiscard } from './failures.js';
import type { Row } from './row.js';

/**
 * After this time without a statement, the server rolls a transaction back and ends its session: the host is frozen or unreachable, and its locks hold back the
 * host that has taken its work over.
 */
const idleLimit = "idle_in_transaction_session_timeout = '10s'";

/** Runs `work` in one transaction and rolls back if it throws. `settings` apply to this transaction only. */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  settings: readonly string[] = [],
): Promise<T> {
  const client = await connected(pool);
  let isCommitting = false;
  try {
    await client.query(['BEGIN', ...[idleLimit, ...settings].map((setting) => `SET LOCAL ${setting}`)].join('; '));
    const result = await work(client);
    isCommitting = true;
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    const isLost = !(error instanceof ServiceError) && isConnectionLost(error);
    if (!isLost) await client.query('ROLLBACK').catch(() => {});
    client.release(isLost || isToDiscard(error));
    if (isLost) throw new StorageUnavailableError(isCommitting ? 'unknown' : 'none', error);
    throw isRefusingWork(error) ? new StorageUnavailableError('none', error) : error;
  }
}

/** Runs a statement as a transaction of its own. */
export async function alone(pool: Pool, statement: QueryConfig): Promise<Row[]> {
  const client = await connected(pool);
  try {
    const { rows } = await client.query<Row>(statement);
    client.release();
    return rows;
  } catch (error) {
    const isLost = isConnectionLost(error);
    client.release(isLost || isToDiscard(error));
    if (isLost) throw new StorageUnavailableError('unknown', error);
    throw isRefusingWork(error) ? new StorageUnavailableError('none', error) : error;
  }
}

async function connected(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw error instanceof ServiceError ? error : new StorageUnavailableError('none', error);
  }
}
