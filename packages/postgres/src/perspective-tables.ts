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
import { holdTables, makeTables } from './perspective-changes.js';
import { lockedNames } from './perspective-ddl.js';
import type { Reader } from './reader.js';
import { RecordedRows } from './recorded-rows.js';
import type { DatabaseRoles } from './roles/database-roles.js';
import { inTransaction } from './transaction.js';

/** How long a change of tables waits for their users before it lets them continue and retries. */
const lockTimeoutMs = 500;
const mostTries = 20;
/** An arbitrary unique number: the advisory lock under which hosts create tables one at a time. */
const tablesLock = 7_322_671_509;

/** The tables of perspectives and their columns. Creates missing tables. */
export class PerspectiveTables {
  readonly #recorded: RecordedRows;
  readonly #pool: Pool;
  readonly #open: () => Promise<void>;
  readonly #roles: DatabaseRoles;
  readonly #own = new Map<string, PerspectiveTable>();
  /** The existing tables by name, with their columns as last read. */
  readonly #known = new Map<string, Promise<RecordedTables>>();

  constructor(reader: Reader, pool: Pool, open: () => Promise<void>, roles: DatabaseRoles) {
    this.#recorded = new RecordedRows(reader);
    this.#pool = pool;
    this.#open = open;
    this.#roles = roles;
  }

  define(tables: readonly PerspectiveTable[]): void {
    for (const table of tables) this.#own.set(table.perspective, table);
  }

  /** The definition of a perspective in the code of this host. */
  ownOf(perspective: string): PerspectiveTable {
    return this.#own.get(perspective) ?? { perspective, columns: [] };
  }

  requireOwnVersion({ tables: { perspective }, table }: RecordedTables): void {
    if (!isSameVersion(this.ownOf(perspective), table)) throw new PerspectiveDefinedOtherwiseError(perspective);
  }

  /** Runs `work` on tables. If another host has renamed or removed them, creates them and retries. */
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

  /** Reads the record of the tables again, and creates them if they do not exist. */
  makeAgain(tables: ModelTables): Promise<RecordedTables> {
    this.forget(tables);
    return this.make(tables);
  }

  /** Creates the tables if they do not exist. */
  make(ref: ModelTables): Promise<RecordedTables> {
    // All segments have the same tables.
    const { segment, ...tables } = ref;
    let known = this.#known.get(tables.name);
    if (known === undefined) {
      known = this.#makeTables(tables, segment === undefined);
      this.#known.set(tables.name, known);
      known.catch(() => this.forget(tables));
    }
    return known;
  }

  /** Creates tables that no migration creates. Tables that will replace others have the same columns. */
  async #makeTables(tables: ModelTables, isWhole: boolean): Promise<RecordedTables> {
    await this.#open();
    const { name, perspective, role } = tables;
    const row = await this.#recorded.read(name);
    if (row !== undefined) return toRecordedTables(tables, row);
    // Retained tables are never created here, and a segment has tables that existed before.
    if (role === 'retained' || !isWhole) throw new PerspectiveDefinedOtherwiseError(perspective);
    const serving = role === 'serving' ? null : await this.makeAgain(asTables(perspective));
    const table = serving?.table ?? this.ownOf(perspective);
    return await this.changeTables(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [tablesLock]);
      return (await holdTables(client, tables)) ?? (await makeTables(client, tables, table, serving?.revision ?? 0));
    });
  }

  /** Locks tables, so that no other host uses them until the transaction ends. */
  lock(client: PoolClient, ...tables: readonly ModelTables[]): Promise<void> {
    return lockExclusively(client, lockedNames(...tables), lockTimeoutMs);
  }

  /** Retries after a lock timeout. A change that continued to wait would block all readers and writers that follow it. */
  async changeTables<T>(change: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const settings = [`lock_timeout = ${lockTimeoutMs}`, ...this.#roles.tableSettings];
        return await inTransaction(this.#pool, change, settings);
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
