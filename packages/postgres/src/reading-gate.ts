/**
 * SQL that determines how far the log can be read. Reading must stop before the first transaction that can still append events. See
 * decision 0086 for why no event is skipped.
 */
import { readableBefore } from './transaction-ids.js';

/**
 * The oldest transaction of the snapshot that can still append, with its process: it is open and has locked the table of events. `pg_locks` is
 * read once, and after the snapshot was taken. Events of a transaction that ends in between are visible to later statements only.
 */
export const oldestAppend = `
  WITH locks AS MATERIALIZED (SELECT * FROM pg_locks WHERE granted)
  SELECT open.id, holder.pid
  FROM pg_snapshot_xip(pg_current_snapshot()) AS open (id) JOIN locks holder ON holder.transactionid = open.id::xid
  WHERE holder.locktype = 'transactionid' AND holder.mode = 'ExclusiveLock' AND holder.virtualtransaction = ANY (ARRAY(
    SELECT virtualtransaction FROM locks
    WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND relation = 'svc_events'::regclass
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())))
  ORDER BY open.id LIMIT 1`;

/** A standby does not list the open transactions of its snapshot, so only the oldest one counts. */
const openTransactionsAreKnown = 'EXISTS (SELECT FROM pg_snapshot_xip(pg_current_snapshot()))';

/**
 * Statements that begin after this one can read all events of transactions before `gate`. The locks are read only if an open transaction,
 * of whatever kind, holds back events up to the parameter.
 */
export const gateStatement = `
  SELECT CASE
    WHEN $1::xid8 < ${readableBefore} OR NOT ${openTransactionsAreKnown} THEN ${readableBefore}
    ELSE svc_transaction_id(coalesce((SELECT id FROM (${oldestAppend}) oldest), pg_snapshot_xmax(pg_current_snapshot())))
  END AS gate`;
