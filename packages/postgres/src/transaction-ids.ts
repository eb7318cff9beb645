/** The transaction ids of events: those of the database cluster, unless the events were restored from another cluster. */
import { ServiceError } from '@svc/core';
import type { MigrationRights } from '@svc/core/storage';
import type { Pool } from 'pg';
import type { Reader } from './reader.js';
import { inTransaction } from './transaction.js';

/** Maps a transaction id of this cluster to one of events. Initially the same id. */
export const transactionIdFunction = functionOf('$1');

/**
 * The id of events for a statement that is the first of its transaction. Such a statement locks the table of events before its transaction
 * gets an id, so readers either see the lock or do not reach the id.
 */
export const firstStatementId = 'svc_transaction_id(pg_current_xact_id())';

/**
 * The id for all other inserts. A transaction that wrote something else first got its id before it locked the table of events, and readers
 * may be past this id. So its events get the id of a new subtransaction: it is greater than every id that readers have reached. The other
 * events of the transaction use the same id, until a rollback to a savepoint releases the lock and resets the setting. See decision 0086.
 */
export const appendTransactionIdFunction = `
      CREATE OR REPLACE FUNCTION svc_append_transaction_id() RETURNS xid8 LANGUAGE plpgsql AS $$
      DECLARE
        append_id xid8 := nullif(current_setting('svc.append_transaction_id', true), '');
        own_id bigint;
      BEGIN
        IF append_id IS NULL THEN
          own_id := pg_current_xact_id_if_assigned()::text;
          IF own_id IS NULL THEN
            append_id := pg_current_xact_id();
          ELSE
            -- A block with an exception handler is a subtransaction. Its first write, a message without a reader, gives it an id.
            BEGIN
              PERFORM pg_logical_emit_message(true, 'svc', '');
              append_id := (
                SELECT own_id + max((transactionid::text::bigint - own_id) & 4294967295) FROM pg_locks
                WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND pid = pg_backend_pid()
              )::text;
            EXCEPTION WHEN OTHERS THEN
              RAISE;
            END;
          END IF;
          PERFORM set_config('svc.append_transaction_id', append_id::text, true);
        END IF;
        RETURN svc_transaction_id(append_id);
      END $$`;

/** Events of older transactions can be read: no transaction before this one is open. */
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
export async function followRestoredEvents(reader: Reader, pool: Pool, rights: MigrationRights): Promise<void> {
  if ((await reader.rows('svc-foreign-events', foreignStatement)).length === 0) return;
  if (rights === 'perspectives') {
    throw new ServiceError(
      'SVC_SCHEMA_OUTDATED',
      'Cannot start: the events were restored from another database server, and the database role of this process may not adopt them. Run svc migrate up as the owner of the schema, then start again.',
    );
  }
  await inTransaction(pool, async (client) => {
    await client.query('LOCK TABLE svc_events IN ACCESS EXCLUSIVE MODE');
    // From the oldest open transaction: it may still commit events, which must come after the restored ones too.
    const { rows } = await client.query<{ ahead: string }>(
      `SELECT last::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint + 1 AS ahead FROM (${foreignStatement}) found`,
    );
    // Another host has done it.
    if (rows[0] === undefined) return;
    await client.query(functionOf(aheadBy(rows[0].ahead)));
  });
}

/** With the schema of everything: the function is part of a check of inserts by roles that choose their search path. */
function aheadBy(ids: string): string {
  const text = 'pg_catalog.text';
  return `($1::${text}::pg_catalog.int8 OPERATOR(pg_catalog.+) ${ids})::${text}::pg_catalog.xid8`;
}

function functionOf(id: string): string {
  return `CREATE OR REPLACE FUNCTION svc_transaction_id(xid8) RETURNS xid8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT ${id}'`;
}
