import { MigrationFailureReason, newId, ServiceError } from '@svc/core';
import {
  createTable,
  extendTable,
  perspectiveTableOf,
  recordTable,
  StorageUnavailableError,
  type CommitRecord,
  type MigrationBatch,
  type MigrationDatabase,
  type MigrationRecord,
  type MigrationRights,
  type MigrationSession,
  type MigrationSettings,
  type TableDefinition,
  type UnchangedItem,
} from '@svc/core/storage';
import type { Connection } from '../connection.js';
import { commitRecord } from '../commit-record.js';
import { failureKind, isMissingTable, isSqliteError, isTypeMismatch } from '../failures.js';
import { Numbers } from '../numbers.js';
import { createTables } from '../perspective-ddl.js';
import { preparedWhenUsed } from '../statements.js';
import { batchesTable, readBatches, takeEvents } from './batches.js';
import { lockMs, SqliteMigrationSession } from './migration-session.js';
import { readRecords, recordsTables, writeSkipped } from './records.js';
import { tableDialect } from './table-sql.js';

/** The migrations of a database file. The process that migrates holds a lock, a row of the file, which expires soon after the process ends. */
export class SqliteMigrationDatabase implements MigrationDatabase {
  readonly #open: () => Promise<Connection>;
  readonly #settings: MigrationSettings;

  constructor(open: () => Promise<Connection>, settings: MigrationSettings) {
    this.#open = open;
    this.#settings = settings;
  }

  /** A file has no roles. */
  rights(): Promise<MigrationRights> {
    return Promise.resolve('everything');
  }

  async records(): Promise<readonly MigrationRecord[] | null> {
    const connection = await this.#open();
    try {
      return await connection.unlocked(() => readRecords(connection));
    } catch (error) {
      if (isMissingTable(error)) return null;
      throw error;
    }
  }

  async recordSkipped(items: readonly UnchangedItem[]): Promise<void> {
    const connection = await this.#open();
    await connection.transaction(() => writeSkipped(connection, items));
  }

  async batches(): Promise<readonly MigrationBatch[]> {
    const connection = await this.#open();
    try {
      return await connection.unlocked(() => readBatches(connection));
    } catch (error) {
      if (isMissingTable(error)) return [];
      throw error;
    }
  }

  async emit(batch: MigrationBatch, record: CommitRecord | null): Promise<boolean> {
    const connection = await this.#open();
    return await connection.transaction(() => {
      if (!takeEvents(connection, batch)) return false;
      if (record === null) return true;
      // After a failed migration, tables that other statements need may be missing.
      const sql = preparedWhenUsed(connection);
      commitRecord(sql, record, { numbers: new Numbers(sql, [record]), careful: true });
      return true;
    });
  }

  async existing(tables: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const connection = await this.#open();
    const found = new Map<string, readonly string[]>();
    for (const table of tables) {
      const rows = await connection.unlocked(() => connection.rows(columnsStatement, table));
      if (rows.length > 0)
        found.set(
          table,
          rows.map(({ name }) => name as string),
        );
    }
    return found;
  }

  tableSql(old: TableDefinition | null, next: TableDefinition): readonly string[] {
    if (old !== null) return extendTable(old, next, tableDialect);
    const table = perspectiveTableOf(next);
    return table === null
      ? createTable(next, next.table, tableDialect)
      : [createTables(table, table.perspective), recordTable(table)];
  }

  async begin(name: string): Promise<MigrationSession | null> {
    const connection = await this.#open();
    const holder = newId();
    const isHeld = await connection.transaction(() => {
      connection.exec(recordsTables + batchesTable);
      const now = Date.now();
      const rows = connection.rows(lockStatement, name, holder, now + lockMs, now);
      return rows.length > 0;
    });
    return isHeld ? new SqliteMigrationSession(connection, name, holder, this.#settings.lockTimeoutMs) : null;
  }

  classify(error: unknown): MigrationFailureReason {
    if (this.isLocked(error)) return MigrationFailureReason.Timeout;
    const isNoValue = error instanceof ServiceError && error.code === 'SVC_INVALID_VALUE';
    if (isNoValue || isTypeMismatch(error)) return MigrationFailureReason.ColumnTypeMismatch;
    return isSqliteError(error) ? MigrationFailureReason.SqlError : MigrationFailureReason.Unknown;
  }

  isLocked(error: unknown): boolean {
    return failureKind(error instanceof StorageUnavailableError ? error.cause : error) === 'busy';
  }

  isGone(error: unknown): boolean {
    return error instanceof StorageUnavailableError && !this.isLocked(error);
  }
}

const columnsStatement = `
  SELECT info.name FROM sqlite_master JOIN pragma_table_info(sqlite_master.name) info
  WHERE sqlite_master.type = 'table' AND sqlite_master.name = ?`;

const lockStatement = `
  INSERT INTO svc_migration_locks (name, holder, expires_at) VALUES (?1, ?2, ?3)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at WHERE expires_at < ?4
  RETURNING 1`;
