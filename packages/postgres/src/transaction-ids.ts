/** The transaction ids of events: those of the cluster they are in, unless that is not the one they were written in. */
import type { Pool } from 'pg';
import type { Reader } from './reader.js';
import { inTransaction } from './transaction.js';

/** What a transaction of this cluster is to events; at first the same. */
export const transactionIdFunction = functionOf('$1');

/** Events of older transactions are read: before them none is open. */
export const readableBefore = 'svc_transaction_id(pg_snapshot_xmin(pg_current_snapshot()))';

/** The last id among events, if no transaction of this cluster can have it yet. */
const foreignStatement = `
  SELECT last.transaction_id::text AS last FROM (
    SELECT transaction_id FROM svc_events ORDER BY transaction_id DESC LIMIT 1
  ) last
  WHERE last.transaction_id >= svc_transaction_id(pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * A database that was restored from a dump has the transaction ids of another cluster, which may have been further. Its events would wait
 * to be read until this one has come as far, and new ones would stand in front of them: from now on ids are counted from the last one on.
 */
export async function followRestoredEvents(reader: Reader, pool: Pool): Promise<void> {
  if ((await reader.rows('svc-foreign-events', foreignStatement)).length === 0) return;
  await inTransaction(pool, async (client) => {
    await client.query('LOCK TABLE svc_events IN ACCESS EXCLUSIVE MODE');
    // From the oldest transaction that is open: it may keep events yet, which are to stand behind as well.
    const { rows } = await client.query<{ ahead: string }>(
      `SELECT last::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint + 1 AS ahead FROM (${foreignStatement}) found`,
    );
    // Another host was faster.
    if (rows[0] === undefined) return;
    await client.query(`
      ${functionOf(`($1::text::bigint + ${rows[0].ahead})::text::xid8`)};
      ALTER TABLE svc_events ALTER COLUMN transaction_id SET DEFAULT svc_transaction_id(pg_current_xact_id())`);
  });
}

function functionOf(id: string): string {
  return `CREATE OR REPLACE FUNCTION svc_transaction_id(xid8) RETURNS xid8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT ${id}'`;
}
