import { mostHeldBack, waitingEvents, type ReadingStall as Stall } from '@svc/core/storage';
import type { Queryable } from './reader.js';

/** An open transaction that holds back events from readers of the log, and the session that holds it. */
export interface ReadingStall extends Stall {
  /** The process to inspect, or to end with `pg_terminate_backend`; null for a prepared transaction, or if this user may not see it. */
  readonly pid: number | null;
  readonly database: string | null;
  readonly applicationName: string | null;
  readonly state: string | null;
  /** All fields in one line. */
  readonly message: string;
}

const statement = `
  WITH gate AS (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS oldest),
  held AS (
    SELECT count(*) AS events
    FROM (SELECT FROM svc_events, gate WHERE transaction_id >= svc_transaction_id(oldest) LIMIT ${mostHeldBack + 1}) counted
  )
  SELECT held.events, holder.* FROM gate CROSS JOIN held LEFT JOIN LATERAL (
    SELECT pid, datname, application_name, state, extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds
    FROM pg_stat_activity WHERE backend_xid = oldest::xid
    UNION ALL
    SELECT NULL, database, 'prepared transaction ' || gid, 'prepared', extract(epoch FROM clock_timestamp() - prepared)::int
    FROM pg_prepared_xacts WHERE transaction = oldest::xid
  ) holder ON true
  LIMIT 1`;

/** The transaction that currently holds events back; null if there is none. */
export async function findReadingStall(reader: Queryable): Promise<ReadingStall | null> {
  const [row] = await reader.rows('svc-reading-stall', statement);
  const heldBack = Number(row?.['events'] ?? 0);
  if (row === undefined || heldBack === 0) return null;
  const stall = {
    pid: numberOf(row['pid']),
    database: row['datname'] ?? null,
    applicationName: row['application_name'] ?? null,
    state: row['state'] ?? null,
    openForSeconds: numberOf(row['seconds']),
    heldBack,
  };
  return { ...stall, message: describe(stall) };
}

function describe(stall: Omit<ReadingStall, 'message'>): string {
  const { pid, database, applicationName, state, openForSeconds } = stall;
  const events = waitingEvents(stall);
  if (database === null)
    return `${events} for an open transaction that this database user may not see. Grant pg_monitor to see it.`;
  const who = pid === null ? String(applicationName) : `process ${pid} (${applicationName || 'unnamed'}, ${state})`;
  return `${events} for a transaction of ${who} in database ${database}, open for ${openForSeconds} s.`;
}

function numberOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text);
}
