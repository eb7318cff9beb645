import { MigrationStrategy } from '@svc/core';
import {
  asTables,
  backupTable,
  createTable,
  dropBackup,
  lastRevision,
  nextTable,
  perspectiveTableOf,
  progressAfter,
  quoted,
  removeGone,
  restoreBackup,
  SessionLostError,
  SupersededError,
  swapTables,
  tablesOfRewrite,
  writtenSince,
  type BatchChange,
  type MigrationBatch,
  type MigrationRecord,
  type MigrationSession,
  type Rewrite,
  type RewriteEnding,
  type RewriteProgress,
  type TableDefinition,
} from '@svc/core/storage';
import type { Connection } from '../connection.js';
import type { SqlValue } from '../engine.js';
import {
  makeTables,
  readTables,
  redefineTable,
  removeTables,
  replaceTables,
  retainTables,
  tablesInRole,
} from '../perspective-changes.js';
import { changeBatch, insertBatch, readBatches } from './batches.js';
import { copyRows } from './copied-row.js';
import { readRecords, writeRecord } from './records.js';
import { batchOf, rowsLeft, rowsToCatchUp, rowsToCopy } from './rewrite-statements.js';
import { tableDialect } from './table-sql.js';

/** How long the lock lasts after its last renewal. */
export const lockMs = 2_000;

/** A migration under a lock that is a row of the file. Every transaction renews the lock. If it is lost, the transaction changes nothing. */
export class SqliteMigrationSession implements MigrationSession {
  readonly #connection: Connection;
  readonly #name: string;
  readonly #holder: string;
  readonly #lockTimeoutMs: number;
  readonly #renewing: NodeJS.Timeout;

  constructor(connection: Connection, name: string, holder: string, lockTimeoutMs: number) {
    this.#connection = connection;
    this.#name = name;
    this.#holder = holder;
    this.#lockTimeoutMs = lockTimeoutMs;
    this.#renewing = setInterval(() => void this.#transaction(() => {}).catch(() => {}), lockMs / 3).unref();
  }

  records(): Promise<readonly MigrationRecord[]> {
    return this.#connection.unlocked(() => readRecords(this.#connection));
  }

  batches(): Promise<readonly MigrationBatch[]> {
    return this.#connection.unlocked(() => readBatches(this.#connection));
  }

  startBatch(batch: MigrationBatch): Promise<void> {
    return this.#transaction(() => insertBatch(this.#connection, batch));
  }

  changeBatch(change: BatchChange): Promise<void> {
    return this.#transaction(() => changeBatch(this.#connection, change));
  }

  write(record: MigrationRecord, expectedHash: string | null, change?: BatchChange): Promise<void> {
    return this.#transaction(() => {
      if (!writeRecord(this.#connection, record, expectedHash)) throw new SupersededError(record.key);
      if (change !== undefined) changeBatch(this.#connection, change);
    });
  }

  apply(sql: readonly string[], record: MigrationRecord, change: BatchChange): Promise<void> {
    return this.#transaction(() => {
      for (const statement of sql) this.#connection.exec(statement);
      writeRecord(this.#connection, record);
      changeBatch(this.#connection, change);
    });
  }

  prepareNext(rewrite: Rewrite): Promise<number> {
    const { from, to } = rewrite;
    const next = nextTable(to.table);
    return this.#transaction(() => {
      this.#requireTarget(rewrite);
      this.#discard(rewrite);
      if (rewrite.strategy === MigrationStrategy.EventReplay) this.#makeTables(rewrite);
      else for (const statement of createTable(to, next, tableDialect)) this.#connection.exec(statement);
      return this.#number(lastRevision(from), 'revision');
    });
  }

  hasNext(rewrite: Rewrite): Promise<boolean> {
    const [sql, name] =
      rewrite.strategy === MigrationStrategy.EventReplay
        ? ['SELECT 1 FROM svc_perspectives WHERE name = ?', tablesOfRewrite(rewrite).name]
        : ["SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", nextTable(rewrite.to.table)];
    return this.#connection.unlocked(() => this.#connection.rows(sql, name).length > 0);
  }

  storeProgress(rewrite: Rewrite, progress: RewriteProgress): Promise<void> {
    return this.#transaction(() => this.#storeProgress(rewrite, progress));
  }

  copyBatch(rewrite: Rewrite, progress: RewriteProgress, limit: number): Promise<RewriteProgress> {
    return this.#transaction(() => {
      const next = this.#copy(rewrite, progress, limit);
      this.#storeProgress(rewrite, next);
      return next;
    });
  }

  swap(
    rewrite: Rewrite,
    progress: RewriteProgress,
    { record, change }: RewriteEnding,
    limit: number,
  ): Promise<boolean> {
    const { from, to } = rewrite;
    return this.#transaction(() => {
      this.#requireTarget(rewrite);
      if (rewrite.strategy === MigrationStrategy.EventReplay) {
        if (!this.#replaceTables(rewrite)) return false;
      } else {
        if (this.#number(rowsLeft(from, limit), 'rows', progress.revision, progress.revisionKey) > limit) return false;
        this.#copy(rewrite, { ...progress, phase: 'catchUp' }, limit);
        this.#connection.exec(removeGone(from, nextTable(to.table)));
        for (const statement of swapTables(to.table)) this.#connection.exec(statement);
        this.#recordColumns(to);
      }
      writeRecord(this.#connection, record);
      changeBatch(this.#connection, change);
      return true;
    });
  }

  discardNext(rewrite: Rewrite, { record, change }: RewriteEnding): Promise<void> {
    return this.#transaction(() => {
      this.#requireTarget(rewrite);
      this.#discard(rewrite);
      writeRecord(this.#connection, record);
      changeBatch(this.#connection, change);
    });
  }

  restore(current: TableDefinition, backup: TableDefinition, record: MigrationRecord): Promise<void> {
    return this.#transaction(() => {
      const written = this.#connection.rows(`SELECT * ${writtenSince(backup)}`);
      copyRows(this.#connection, written, current, backup, backupTable(backup.table));
      for (const statement of restoreBackup(current)) this.#connection.exec(statement);
      this.#recordColumns(backup);
      writeRecord(this.#connection, record);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing);
    const release = 'DELETE FROM svc_migration_locks WHERE name = ? AND holder = ?';
    await this.#connection.transaction(() => this.#connection.rows(release, this.#name, this.#holder));
  }

  /** Removes the tables of this rewrite, and those of unfinished ones. */
  #discard({ to }: Rewrite): void {
    this.#connection.exec(`DROP TABLE IF EXISTS ${quoted(nextTable(to.table))}`);
    if (to.perspective === undefined) return;
    for (const { tables } of tablesInRole(this.#connection, to.perspective, 'migrating')) {
      removeTables(this.#connection, tables);
    }
  }

  #makeTables(rewrite: Rewrite): void {
    const table = perspectiveTableOf(rewrite.to)!;
    const serving = readTables(this.#connection, asTables(table.perspective));
    makeTables(this.#connection, tablesOfRewrite(rewrite), table, serving?.revision ?? 0);
  }

  /** False: the serving tables have processed events that the new tables have not. Other changes to them do not matter. */
  #replaceTables(rewrite: Rewrite): boolean {
    const next = perspectiveTableOf(rewrite.to)!;
    const replaced = readTables(this.#connection, asTables(next.perspective))!;
    const replacing = readTables(this.#connection, tablesOfRewrite(rewrite))!;
    if (replaced.sequence > replacing.sequence) return false;
    retainTables(this.#connection, replaced, next);
    replaceTables(this.#connection, replaced, replacing);
    this.#connection.exec(dropBackup(next.perspective));
    return true;
  }

  /** Records the new columns, which processes that write to the table detect. */
  #recordColumns(definition: TableDefinition): void {
    const table = perspectiveTableOf(definition);
    if (table !== null) redefineTable(this.#connection, table);
  }

  #copy({ from, to }: Rewrite, progress: RewriteProgress, limit: number): RewriteProgress {
    const [which, values] =
      progress.phase === 'copy'
        ? [rowsToCopy(from), [progress.copiedKey]]
        : [rowsToCatchUp(from), [progress.revision, progress.revisionKey]];
    const rows = this.#connection.rows(batchOf(from, which, limit), ...values);
    copyRows(this.#connection, rows, from, to, nextTable(to.table));
    const last = rows.at(-1);
    const key = (last?.[from.key] ?? null) as string | null;
    return progressAfter(progress, { rows: rows.length, key, revision: Number(last?.[from.revision] ?? 0) }, limit);
  }

  #storeProgress(rewrite: Rewrite, progress: RewriteProgress): void {
    const updated = this.#connection.rows(
      'UPDATE svc_schema_migrations SET progress = ?, updated_at = ? WHERE key = ? AND target_hash = ? RETURNING 1',
      JSON.stringify(progress),
      Date.now(),
      rewrite.key,
      rewrite.target,
    );
    if (updated.length === 0) throw new SupersededError(rewrite.key);
  }

  #requireTarget({ key, target }: Rewrite): void {
    const sql = 'SELECT 1 FROM svc_schema_migrations WHERE key = ? AND target_hash = ?';
    if (this.#connection.rows(sql, key, target).length === 0) throw new SupersededError(key);
  }

  #transaction<T>(work: () => T): Promise<T> {
    return this.#connection.transaction(() => {
      const sql = 'UPDATE svc_migration_locks SET expires_at = ? WHERE name = ? AND holder = ? RETURNING 1';
      if (this.#connection.rows(sql, Date.now() + lockMs, this.#name, this.#holder).length === 0) {
        throw new SessionLostError();
      }
      return work();
    }, this.#lockTimeoutMs);
  }

  #number(sql: string, column: string, ...values: SqlValue[]): number {
    return Number(this.#connection.rows(sql, ...values)[0]?.[column] ?? 0);
  }
}
