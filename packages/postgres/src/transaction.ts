import { ServiceError } from '@svc/core';
import { StorageUnavailableError } from '@svc/core/storage';
import type { Pool, PoolClient } from 'pg';
import { isConnectionLost, isRefusingWork } from './failures.js';

/** Runs `work` in one transaction and rolls back if it throws. `settings` apply to this transaction only. */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  settings: readonly string[] = [],
): Promise<T> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw new StorageUnavailableError('none', error);
  }
  let isCommitting = false;
  try {
    await client.query(['BEGIN', ...settings.map((setting) => `SET LOCAL ${setting}`)].join('; '));
    const result = await work(client);
    isCommitting = true;
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    const isLost = !(error instanceof ServiceError) && isConnectionLost(error);
    if (!isLost) await client.query('ROLLBACK').catch(() => {});
    client.release(isLost);
    if (isLost) throw new StorageUnavailableError(isCommitting ? 'unknown' : 'none', error);
    throw isRefusingWork(error) ? new StorageUnavailableError('none', error) : error;
  }
}
