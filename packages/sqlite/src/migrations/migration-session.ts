import {
  MigrationStrategy,
  nextTable,
  StorageUnavailableError,
  SupersededError,
  type MigrationRecord,
  type MigrationSession,
  type Rewrite,
  type RewriteProgress,
  type TableDefinition,
} from '@svc/core';
import type { Connection } from '../connection.js';
import type { SqlValue } from '../engine.js';
import { readRecords, writeRecord } from './records.js';
import {
  copyRows,
  endOfBatch,
  lastRevision,
  removeGone,
  restoreTable,
  rowsLeft,
  rowsToCatchUp,
  rowsToCopy,
  swapTables,
  writtenSince,
} from './rewrite-statements.js';
import { createTable, quoted } from './table-sql.js';

/** How long a process is taken to be there after it last said so. */
export const lockMs = 2_000;

/** Work under a lock that is a row of the file. Every transaction holds on to the lock, or changes nothing when it is lost. */
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

  write(record: MigrationRecord, expectedHash: string | null): Promise<void> {
    return this.#transaction(() => {
      if (!writeRecord(this.#connection, record, expectedHash)) throw new SupersededError(record.key);
    });
  }

  apply(sql: readonly string[], record: MigrationRecord): Promise<void> {
    return this.#transaction(() => {
      for (const statement of sql) this.#connection.exec(statement);
      writeRecord(this.#connection, record);
    });
  }

  prepareNext(rewrite: Rewrite): Promise<number> {
    const { from, to } = rewrite;
    const next = nextTable(to.table);
    return this.#transaction(() => {
      this.#requireTarget(rewrite);
      this.#connection.exec(`DROP TABLE IF EXISTS ${quoted(next)}`);
      for (const statement of createTable(to, next)) this.#connection.exec(statement);
      return this.#number(lastRevision(from), 'revision');
    });
  }

  hasNext({ to }: Rewrite): Promise<boolean> {
    const sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
    return this.#connection.unlocked(() => this.#connection.rows(sql, nextTable(to.table)).length > 0);
  }

  keepProgress(rewrite: Rewrite, progress: RewriteProgress): Promise<void> {
    return this.#transaction(() => this.#keep(rewrite, progress));
  }

  copyBatch(rewrite: Rewrite, progress: RewriteProgress, limit: number): Promise<RewriteProgress> {
    return this.#transaction(() => {
      const next = this.#copy(rewrite, progress, limit);
      this.#keep(rewrite, next);
      return next;
    });
  }

  swap(rewrite: Rewrite, progress: RewriteProgress, record: MigrationRecord, limit: number): Promise<boolean> {
    const { from, to } = rewrite;
    return this.#transaction(() => {
      this.#requireTarget(rewrite);
      if (rewrite.strategy === MigrationStrategy.EventReplay) {
        if (this.#number(lastRevision(from), 'revision') > progress.revision) return false;
      } else {
        if (this.#number(rowsLeft(from, limit), 'rows', progress.revision, progress.revisionKey) > limit) return false;
        this.#copy(rewrite, { ...progress, phase: 'catchUp' }, limit);
        this.#connection.exec(removeGone(from, nextTable(to.table)));
      }
      this.#connection.exec(swapTables(to.table));
      writeRecord(this.#connection, record);
      return true;
    });
  }

  discardNext(rewrite: Rewrite, record: MigrationRecord): Promise<void> {
    return this.#transaction(() => {
      this.#requireTarget(rewrite);
      this.#connection.exec(`DROP TABLE IF EXISTS ${quoted(nextTable(rewrite.to.table))}`);
      writeRecord(this.#connection, record);
    });
  }

  writtenSince(backup: TableDefinition): Promise<number> {
    return this.#connection.unlocked(() => this.#number(`SELECT count(*) AS rows ${writtenSince(backup)}`, 'rows'));
  }

  restore(current: TableDefinition, backup: TableDefinition, record: MigrationRecord): Promise<void> {
    return this.#transaction(() => {
      this.#connection.exec(restoreTable(current, backup));
      writeRecord(this.#connection, record);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing);
    const release = 'DELETE FROM svc_migration_locks WHERE name = ? AND holder = ?';
    await this.#connection.transaction(() => this.#connection.rows(release, this.#name, this.#holder));
  }

  #copy({ from, ...rewrite }: Rewrite, progress: RewriteProgress, limit: number): RewriteProgress {
    const isCopying = progress.phase === 'copy';
    const rows = isCopying ? rowsToCopy(from) : rowsToCatchUp(from);
    const values = isCopying ? [progress.copiedKey] : [progress.revision, progress.revisionKey];
    const [end] = this.#connection.rows(endOfBatch(from, rows, limit), ...values);
    const count = Number(end?.['rows'] ?? 0);
    if (count > 0) this.#connection.rows(copyRows({ from, ...rewrite }, rows, limit), ...values);
    const key = (end?.['key'] ?? null) as string | null;
    if (isCopying) {
      const phase = count < limit ? 'catchUp' : 'copy';
      return { ...progress, phase, copiedKey: key ?? progress.copiedKey, rows: progress.rows + count };
    }
    if (count === 0) return progress;
    return { ...progress, revision: Number(end?.['revision']), revisionKey: key, rows: progress.rows + count };
  }

  #keep(rewrite: Rewrite, progress: RewriteProgress): void {
    const kept = this.#connection.rows(
      'UPDATE svc_schema_migrations SET progress = ?, updated_at = ? WHERE key = ? AND target_hash = ? RETURNING 1',
      JSON.stringify(progress),
      Date.now(),
      rewrite.key,
      rewrite.target,
    );
    if (kept.length === 0) throw new SupersededError(rewrite.key);
  }

  #requireTarget({ key, target }: Rewrite): void {
    const sql = 'SELECT 1 FROM svc_schema_migrations WHERE key = ? AND target_hash = ?';
    if (this.#connection.rows(sql, key, target).length === 0) throw new SupersededError(key);
  }

  #transaction<T>(work: () => T): Promise<T> {
    return this.#connection.transaction(() => {
      const sql = 'UPDATE svc_migration_locks SET expires_at = ? WHERE name = ? AND holder = ? RETURNING 1';
      if (this.#connection.rows(sql, Date.now() + lockMs, this.#name, this.#holder).length === 0) {
        throw new StorageUnavailableError('none', new Error('The lock of the migration was lost.'));
      }
      return work();
    }, this.#lockTimeoutMs);
  }

  #number(sql: string, column: string, ...values: SqlValue[]): number {
    return Number(this.#connection.rows(sql, ...values)[0]?.[column] ?? 0);
  }
}
