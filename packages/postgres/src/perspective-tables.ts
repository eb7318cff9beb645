import { setTimeout as sleep } from 'node:timers/promises';
import {
  asTables,
  isSameVersion,
  PerspectiveDefinedOtherwiseError,
  StorageUnavailableError,
  toRecordedTables,
  type ModelTables,
  type PerspectiveTable,
  type RecordedTables,
} from '@svc/core/storage';
import type { Pool, PoolClient } from 'pg';
import { lockExclusively } from './exclusive-lock.js';
import { isLockTimeout, isMissingTable } from './failures.js';
import { holdTables, makeTables, recordedStatement } from './perspective-changes.js';
import { lockedNames } from './perspective-ddl.js';
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
  /** Those that are there by their names, and what they look like as far as is known. */
  readonly #known = new Map<string, Promise<RecordedTables>>();

  constructor(reader: Reader, pool: Pool, open: () => Promise<void>) {
    this.#reader = reader;
    this.#pool = pool;
    this.#open = open;
  }

  define(tables: readonly PerspectiveTable[]): void {
    for (const table of tables) this.#own.set(table.perspective, table);
  }

  /** What this host knows of a perspective. */
  ownOf(perspective: string): PerspectiveTable {
    return this.#own.get(perspective) ?? { perspective, columns: [] };
  }

  requireOwnVersion({ tables: { perspective }, table }: RecordedTables): void {
    if (!isSameVersion(this.ownOf(perspective), table)) throw new PerspectiveDefinedOtherwiseError(perspective);
  }

  /** Another host may have replaced others by the tables, or removed them: then they are made again. */
  async withTables<T>(tables: ModelTables, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isMissingTable(error)) throw error;
      await this.makeAgain(tables);
      return await work();
    }
  }

  forget({ name }: ModelTables): void {
    this.#known.delete(name);
  }

  /** Whatever is known of them. */
  makeAgain(tables: ModelTables): Promise<RecordedTables> {
    this.forget(tables);
    return this.make(tables);
  }

  /** They are there when it resolves. */
  make(tables: ModelTables): Promise<RecordedTables> {
    let known = this.#known.get(tables.name);
    if (known === undefined) {
      known = this.#makeTables(tables);
      this.#known.set(tables.name, known);
      known.catch(() => this.forget(tables));
    }
    return known;
  }

  /** Tables that migrations have not made: those that are to replace others look like them. */
  async #makeTables(tables: ModelTables): Promise<RecordedTables> {
    await this.#open();
    const { name, perspective, role } = tables;
    const [row] = await this.#reader.rows('svc-perspective-recorded', recordedStatement, [name]);
    if (row !== undefined) return toRecordedTables(tables, row);
    // Those are never made when they are asked for: they are there, or they are not.
    if (role === 'retained') throw new PerspectiveDefinedOtherwiseError(perspective);
    const serving = role === 'serving' ? null : await this.makeAgain(asTables(perspective));
    const table = serving?.table ?? this.ownOf(perspective);
    return await this.changeTables(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [tablesLock]);
      return (await holdTables(client, tables)) ?? (await makeTables(client, tables, table, serving?.revision ?? 0));
    });
  }

  /** No other host uses them until the change is over. */
  lock(client: PoolClient, ...tables: readonly ModelTables[]): Promise<void> {
    return lockExclusively(client, lockedNames(...tables), lockTimeoutMs);
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
