import { mostHeldBack, waitingEvents, type ReadingStall as Stall } from '@svc/core/storage';
import type { Queryable } from './reader.js';
import { oldestAppend } from './reading-gate.js';

/** An open transaction that can still append, and so holds back events from readers of the log. */
export interface ReadingStall extends Stall {
  /** The process to inspect, or to end with `pg_terminate_backend`; null for a prepared transaction. */
  readonly pid: number | null;
  readonly database: string;
  /** The name of the session, or of the prepared transaction; null if the session has just ended. */
  readonly applicationName: string | null;
  /** Null if this database user may not see it, like the age. */
  readonly state: string | null;
  /** All fields in one line. */
  readonly message: string;
}

const statement = `
  WITH holder AS MATERIALIZED (${oldestAppend}),
  held AS (
    SELECT count(*) AS events
    FROM (SELECT FROM svc_events, holder WHERE transaction_id >= svc_transaction_id(holder.id) LIMIT ${mostHeldBack + 1}) counted
  )
  SELECT held.events, holder.pid, current_database() AS database, session.*
  FROM held CROSS JOIN holder LEFT JOIN LATERAL (
    SELECT application_name, state, extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds
    FROM pg_stat_activity WHERE pg_stat_activity.pid = holder.pid
    UNION ALL
    SELECT 'prepared transaction ' || gid, 'prepared', extract(epoch FROM clock_timestamp() - prepared)::int
    FROM pg_prepared_xacts WHERE transaction = holder.id::xid
  ) session ON true`;

/** The transaction that currently holds events back; null if there is none. */
export async function findReadingStall(reader: Queryable): Promise<ReadingStall | null> {
  const [row] = await reader.rows('svc-reading-stall', statement);
  const heldBack = Number(row?.['events'] ?? 0);
  if (row === undefined || heldBack === 0) return null;
  const stall = {
    pid: numberOf(row['pid']),
    database: row['database']!,
    applicationName: row['application_name'] ?? null,
    state: row['state'] ?? null,
    openForSeconds: numberOf(row['seconds']),
    heldBack,
  };
  return { ...stall, message: describe(stall) };
}

function describe(stall: Omit<ReadingStall, 'message'>): string {
  const { pid, database, applicationName, state, openForSeconds } = stall;
  const session = [applicationName || 'unnamed', ...(state === null ? [] : [state])].join(', ');
  const who = pid === null ? String(applicationName) : `process ${pid} (${session})`;
  const since = openForSeconds === null ? '' : `, open for ${openForSeconds} s`;
  return `${waitingEvents(stall)} for a transaction of ${who} in database ${database}${since}.`;
}

function numberOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text);
}
