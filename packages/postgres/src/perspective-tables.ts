import { setTimeout as sleep } from 'node:timers/promises';
import {
  isAsideName,
  isSameVersion,
  PerspectiveDefinedOtherwiseError,
  perspectiveOfName,
  StorageUnavailableError,
  toRecordedTables,
  type PerspectiveTable,
  type RecordedTables,
} from '@svc/core/storage';
import type { Pool, PoolClient } from 'pg';
import { lockExclusively } from './exclusive-lock.js';
import { isLockTimeout, isMissingTable } from './failures.js';
import { holdTables, makeTables, recordedStatement } from './perspective-changes.js';
import { tablesOf } from './perspective-ddl.js';
import type { Reader } from './reader.js';
import { inTransaction } from './transaction.js';

/** How long a change of tables waits for those who use them, before it lets them pass and tries again. */
const lockTimeoutMs = 500;
const mostTries = 20;
/** Any number that nobody else uses: hosts that make tables at once wait for each other here. */
const tablesLock = 7_322_671_509;

/** Which tables of perspectives there are, and what they look like; those that are missing are made. */
export class PerspectiveTables {
  readonly #reader: Reader;
  readonly #pool: Pool;
  readonly #open: () => Promise<void>;
  readonly #own = new Map<string, PerspectiveTable>();
  /** Those whose tables are there, and what they look like as far as is known. */
  readonly #known = new Map<string, Promise<RecordedTables>>();

  constructor(reader: Reader, pool: Pool, open: () => Promise<void>) {
    this.#reader = reader;
    this.#pool = pool;
    this.#open = open;
  }

  define(tables: readonly PerspectiveTable[]): void {
    for (const table of tables) this.#own.set(table.perspective, table);
  }

  /** What this host knows of a perspective, and of what is filled beside it. */
  ownOf(perspective: string): PerspectiveTable {
    return this.#own.get(perspectiveOfName(perspective)) ?? { perspective, columns: [] };
  }

  requireOwnVersion(perspective: string, { table }: RecordedTables): void {
    if (!isSameVersion(this.ownOf(perspective), table)) throw new PerspectiveDefinedOtherwiseError(perspective);
  }

  /** Another host may have put the tables in the place of others, or removed them: then they are made again. */
  async withTables<T>(perspective: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isMissingTable(error)) throw error;
      await this.makeAgain(perspective);
      return await work();
    }
  }

  forget(perspective: string): void {
    this.#known.delete(perspective);
  }

  /** Whatever is known of them. */
  makeAgain(perspective: string): Promise<RecordedTables> {
    this.forget(perspective);
    return this.make(perspective);
  }

  /** They are there when it resolves. */
  make(perspective: string): Promise<RecordedTables> {
    let known = this.#known.get(perspective);
    if (known === undefined) {
      known = this.#makeTables(perspective);
      this.#known.set(perspective, known);
      known.catch(() => this.#known.delete(perspective));
    }
    return known;
  }

  /** Tables that migrations have not made: those that are filled beside others look like them. */
  async #makeTables(perspective: string): Promise<RecordedTables> {
    await this.#open();
    const rows = await this.#reader.rows('svc-perspective-kept', recordedStatement, [perspective]);
    if (rows[0] !== undefined) return toRecordedTables(perspective, rows[0]);
    if (isAsideName(perspective)) throw new PerspectiveDefinedOtherwiseError(perspectiveOfName(perspective));
    const of = perspectiveOfName(perspective);
    const live = of === perspective ? null : await this.makeAgain(of);
    const table = { ...(live?.table ?? this.ownOf(perspective)), perspective };
    return await this.changeTables(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [tablesLock]);
      return (await holdTables(client, perspective)) ?? (await makeTables(client, table, live?.revision ?? 0));
    });
  }

  /** Nobody else uses them until the change is over. */
  lock(client: PoolClient, ...perspectives: readonly string[]): Promise<void> {
    return lockExclusively(client, tablesOf(...perspectives), lockTimeoutMs);
  }

  /** Those who use the tables are let pass: a change that waited behind them would hold everybody up. */
  async changeTables<T>(change: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await inTransaction(this.#pool, change, [`lock_timeout = ${lockTimeoutMs}`]);
      } catch (error) {
        if (!wasLocked(error) || tries === mostTries) throw error;
        await sleep(Math.random() * lockTimeoutMs);
      }
    }
  }
}

function wasLocked(error: unknown): boolean {
  return error instanceof StorageUnavailableError && isLockTimeout(error.cause);
}
