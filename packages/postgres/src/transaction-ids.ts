/** The transaction ids of events: those of the database cluster, unless the events were restored from another cluster. */
import type { Pool } from 'pg';
import type { Reader } from './reader.js';
import { inTransaction } from './transaction.js';

/** Maps a transaction id of this cluster to one of events. Initially the same id. */
export const transactionIdFunction = functionOf('$1');

/** Only events of older transactions are read: no transaction before this one is open. */
export const readableBefore = 'svc_transaction_id(pg_snapshot_xmin(pg_current_snapshot()))';

/** The last transaction id of events, if this cluster has not reached it. */
const foreignStatement = `
  SELECT last.transaction_id::text AS last FROM (
    SELECT transaction_id FROM svc_events ORDER BY transaction_id DESC LIMIT 1
  ) last
  WHERE last.transaction_id >= svc_transaction_id(pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * A restored database has transaction ids of another cluster, which may be greater. Its events would be unreadable until this cluster has
 * reached them, and new events would come before them. So from now on, ids continue after the last restored one.
 */
export async function followRestoredEvents(reader: Reader, pool: Pool): Promise<void> {
  if ((await reader.rows('svc-foreign-events', foreignStatement)).length === 0) return;
  await inTransaction(pool, async (client) => {
    await client.query('LOCK TABLE svc_events IN ACCESS EXCLUSIVE MODE');
    // From the oldest open transaction: it may still commit events, which must come after the restored ones too.
    const { rows } = await client.query<{ ahead: string }>(
      `SELECT last::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint + 1 AS ahead FROM (${foreignStatement}) found`,
    );
    // Another host has done it.
    if (rows[0] === undefined) return;
    await client.query(`
      ${functionOf(`($1::text::bigint + ${rows[0].ahead})::text::xid8`)};
      ALTER TABLE svc_events ALTER COLUMN transaction_id SET DEFAULT svc_transaction_id(pg_current_xact_id())`);
  });
}

function functionOf(id: string): string {
  return `CREATE OR REPLACE FUNCTION svc_transaction_id(xid8) RETURNS xid8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT ${id}'`;
}
