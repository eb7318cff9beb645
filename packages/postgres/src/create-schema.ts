import type { ClientBase } from 'pg';
import { schema } from './schema.js';

/** Any number that nobody else uses: hosts that start at once wait for each other here. */
export const schemaLock = 7_322_671_509;

/** Makes what is missing. What is there is left alone, without a lock that others would have to wait for. */
export async function createSchema(client: ClientBase): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [schemaLock]);
    for (const { creates, sql } of schema) {
      const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [creates]);
      if (rows[0]?.there !== true) await client.query(sql);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
