/**
 * How far the log can be read. Reading must stop before the first transaction that can still append events. See decision 0086 for why no
 * event is skipped.
 */
import type { Queryable } from './reader.js';
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

/** `gate` is up to where later statements can read events. The parameters are a transaction that has events, and the previous `oldest`. */
const statement = `
  SELECT ${readableBefore} AS oldest, CASE
    WHEN $1::xid8 < ${readableBefore} OR $2::xid8 <> ${readableBefore} OR NOT ${openTransactionsAreKnown} THEN ${readableBefore}
    ELSE svc_transaction_id(coalesce((SELECT id FROM (${oldestAppend}) oldest), pg_snapshot_xmax(pg_current_snapshot())))
  END AS gate`;

/** `gate`: statements that begin now can read all events of transactions before it. `isOpen`: that includes the target. */
export interface Gate {
  readonly gate: string;
  readonly isOpen: boolean;
}

/** The gate if all transactions up to the target have ended: `oldest` is the result of `readableBefore` in the snapshot that has the target. */
export function openGate(target: string, oldest: string): Gate | null {
  return BigInt(target) < BigInt(oldest) ? gateOf(target, oldest) : null;
}

/** Never beyond the target: a server that has crashed since may assign later ids again, but not those of committed events. */
function gateOf(target: string, gate: string): Gate {
  const last = BigInt(target);
  return BigInt(gate) > last ? { gate: String(last + 1n), isOpen: true } : { gate, isOpen: false };
}

/** Determines up to which transaction events can be read. */
export class ReadingGate {
  readonly #reader: Queryable;
  /** The oldest open transaction of the cluster, or the next one if none is open. */
  #oldest = '0';

  constructor(reader: Queryable) {
    this.#reader = reader;
  }

  /**
   * The gate at the time of this call.
   *
   * The locks of a busy server are many. They are read only if a transaction holds events back, and did so at the previous call: others
   * have ended before the next attempt.
   */
  async read(target: string): Promise<Gate> {
    const [row] = await this.#reader.rows('svc-reading-gate', statement, [target, this.#oldest]);
    this.#oldest = row!['oldest']!;
    return gateOf(target, row!['gate']!);
  }
}
