import { MigrationStrategy } from '@svc/core';
import {
  asTables,
  createTable,
  dropBackup,
  lastRevision,
  nextTable,
  perspectiveTableOf,
  progressAfter,
  quoted,
  readBatchesStatement,
  removeGone,
  SupersededError,
  swapTables,
  tablesOfRewrite,
  toBatch,
  toMigrationRecord,
  type BackgroundIndex,
  type BatchChange,
  type MigrationBatch,
  type MigrationRecord,
  type MigrationSession,
  type MigrationSettings,
  type Rewrite,
  type RewriteEnding,
  type RewriteProgress,
  type TableDefinition,
} from '@svc/core/storage';
import type { Client, QueryConfig } from 'pg';
import { lockExclusively } from '../exclusive-lock.js';
import {
  holdTables,
  makeTables,
  redefineTable,
  removeTables,
  replaceTables,
  retainTables,
  tablesInRole,
} from '../perspective-changes.js';
import { lockedNames } from '../perspective-ddl.js';
import { rawTypes } from '../raw-types.js';
import type { DatabaseRoles } from '../roles/database-roles.js';
import type { Row } from '../row.js';
import { beginCopy, endCopy } from '../segment-statements.js';
import { changeBatch, insertBatch } from './batches.js';
import { recordsStatement, writeRecord } from './records.js';
import { copyStatement, leftStatement, restoreTable } from './rewrite-statements.js';
import { tableDialect } from './table-sql.js';

/** A migration on a connection that holds an advisory lock. Connection and lock are lost together. */
export class PostgresMigrationSession implements MigrationSession {
  readonly #client: Client;
  readonly #settings: MigrationSettings;
  readonly #roles: DatabaseRoles;
  readonly #end: () => Promise<void>;

  constructor(client: Client, settings: MigrationSettings, roles: DatabaseRoles, end: () => Promise<void>) {
    this.#client = client;
    this.#settings = settings;
    this.#roles = roles;
    this.#end = end;
  }

  async records(): Promise<readonly MigrationRecord[]> {
    return (await this.#rows(recordsStatement)).map(toMigrationRecord);
  }

  async batches(): Promise<readonly MigrationBatch[]> {
    return (await this.#rows(readBatchesStatement)).map(toBatch);
  }

  startBatch(batch: MigrationBatch): Promise<void> {
    return insertBatch(this.#client, batch);
  }

  changeBatch(change: BatchChange): Promise<void> {
    return this.#transaction(() => changeBatch(this.#client, change));
  }

  write(record: MigrationRecord, expectedHash: string | null, change?: BatchChange): Promise<void> {
    return this.#transaction(async () => {
      if (!(await writeRecord(this.#client, record, expectedHash))) throw new SupersededError(record.key);
      if (change !== undefined) await changeBatch(this.#client, change);
    });
  }

  apply(sql: readonly string[], record: MigrationRecord, change: BatchChange): Promise<void> {
    return this.#transaction(async () => {
      for (const statement of sql) await this.#rows(statement);
      await writeRecord(this.#client, record);
      await changeBatch(this.#client, change);
    });
  }

  async buildIndex({ name, definition }: BackgroundIndex, signal: AbortSignal): Promise<void> {
    // It takes as long as the table is large, and waits for transactions of others.
    await this.#rows('SET statement_timeout = 0; SET lock_timeout = 0');
    const cancel = (): void => void this.#end().catch(() => {});
    signal.addEventListener('abort', cancel, { once: true });
    try {
      // What an attempt left that failed or was cut off.
      await this.#rows(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await this.#rows(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  prepareNext(rewrite: Rewrite): Promise<number> {
    const { from, to } = rewrite;
    const next = nextTable(to.table);
    const copied = rewrite.strategy === MigrationStrategy.EventReplay ? undefined : from.perspective;
    return this.#transaction(async () => {
      await this.#requireTarget(rewrite);
      // Commits of segments that began before would not get a revision of their own.
      if (copied !== undefined) await this.#lock([quoted(from.table)]);
      await this.#discard(rewrite);
      if (rewrite.strategy === MigrationStrategy.EventReplay) await this.#makeTables(rewrite);
      else for (const statement of createTable(to, next, tableDialect)) await this.#rows(statement);
      if (copied !== undefined) await beginCopy(this.#client, copied);
      return await this.#number(lastRevision(from), 'revision');
    });
  }

  async hasNext(rewrite: Rewrite): Promise<boolean> {
    const [text, name] =
      rewrite.strategy === MigrationStrategy.EventReplay
        ? ['SELECT EXISTS (SELECT FROM svc_perspectives WHERE name = $1) AS there', tablesOfRewrite(rewrite).name]
        : ['SELECT to_regclass($1) IS NOT NULL AS there', quoted(nextTable(rewrite.to.table))];
    const [row] = await this.#rows(text, [name]);
    return row?.['there'] === 't';
  }

  async storeProgress(rewrite: Rewrite, progress: RewriteProgress): Promise<void> {
    const text = `UPDATE svc_schema_migrations SET progress = $3, updated_at = now() WHERE key = $1 AND target_hash = $2 RETURNING 1`;
    const rows = await this.#rows(text, [rewrite.key, rewrite.target, JSON.stringify(progress)]);
    if (rows.length === 0) throw new SupersededError(rewrite.key);
  }

  copyBatch(rewrite: Rewrite, progress: RewriteProgress, limit: number): Promise<RewriteProgress> {
    return this.#transaction(async () => {
      const next = await this.#copy(rewrite, progress, limit);
      await this.storeProgress(rewrite, next);
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
    return this.#transaction(async (undo) => {
      await this.#requireTarget(rewrite);
      if (rewrite.strategy === MigrationStrategy.EventReplay) {
        if (!(await this.#replaceTables(rewrite))) return undo(false);
      } else {
        await this.#lock([quoted(from.table)]);
        const { text, values } = leftStatement(rewrite, progress, limit);
        if ((await this.#number(text, 'rows', values)) > limit) return undo(false);
        await this.#copy(rewrite, { ...progress, phase: 'catchUp' }, limit);
        await this.#rows(removeGone(from, nextTable(to.table)));
        for (const statement of swapTables(to.table)) await this.#rows(statement);
        await this.#recordColumns(to);
      }
      await writeRecord(this.#client, record);
      await changeBatch(this.#client, change);
      return true;
    });
  }

  discardNext(rewrite: Rewrite, { record, change }: RewriteEnding): Promise<void> {
    return this.#transaction(async () => {
      await this.#requireTarget(rewrite);
      await this.#discard(rewrite);
      await writeRecord(this.#client, record);
      await changeBatch(this.#client, change);
    });
  }

  restore(current: TableDefinition, backup: TableDefinition, record: MigrationRecord): Promise<void> {
    return this.#transaction(async () => {
      await this.#lock([quoted(current.table)]);
      for (const statement of restoreTable(current, backup)) await this.#rows(statement);
      await this.#recordColumns(backup);
      await writeRecord(this.#client, record);
    });
  }

  close(): Promise<void> {
    return this.#end();
  }

  /** Removes the tables of this rewrite, and those of unfinished ones. */
  async #discard({ to }: Rewrite): Promise<void> {
    await this.#rows(`DROP TABLE IF EXISTS ${quoted(nextTable(to.table))}`);
    if (to.perspective === undefined) return;
    await endCopy(this.#client, to.perspective);
    for (const { tables } of await tablesInRole(this.#client, to.perspective, 'migrating')) {
      await removeTables(this.#client, tables);
    }
  }

  async #makeTables(rewrite: Rewrite): Promise<void> {
    const table = perspectiveTableOf(rewrite.to)!;
    const serving = await holdTables(this.#client, asTables(table.perspective));
    await makeTables(this.#client, tablesOfRewrite(rewrite), table, serving?.revision ?? 0);
  }

  /** False: the serving tables have processed events that the new tables have not. Other changes to them do not matter. */
  async #replaceTables(rewrite: Rewrite): Promise<boolean> {
    const next = perspectiveTableOf(rewrite.to)!;
    const [serving, by] = [asTables(next.perspective), tablesOfRewrite(rewrite)];
    await this.#lock(lockedNames(serving, by));
    const replaced = (await holdTables(this.#client, serving))!;
    const replacing = (await holdTables(this.#client, by))!;
    for (const { sequence } of replaced.segments.length === 0 ? [replaced] : replaced.segments) {
      const [row] = await this.#rows(behindStatement, [sequence, replacing.sequence]);
      if (row?.['behind'] === 't') return false;
    }
    await retainTables(this.#client, replaced, next);
    await replaceTables(this.#client, replaced, replacing);
    await this.#rows(dropBackup(next.perspective));
    return true;
  }

  /** Records the new columns, which hosts that write to the table detect. */
  async #recordColumns(definition: TableDefinition): Promise<void> {
    const table = perspectiveTableOf(definition);
    if (table !== null) await redefineTable(this.#client, table);
  }

  async #copy(rewrite: Rewrite, progress: RewriteProgress, limit: number): Promise<RewriteProgress> {
    const { text, values } = copyStatement(rewrite, progress, limit);
    const [row] = await this.#rows(text, values);
    const copied = {
      rows: Number(row?.['rows'] ?? 0),
      key: row?.['key'] ?? null,
      revision: Number(row?.['revision'] ?? 0),
    };
    return progressAfter(progress, copied, limit);
  }

  /** Locks the record of the item until the transaction ends. */
  async #requireTarget({ key, target }: Rewrite): Promise<void> {
    const text = 'SELECT 1 FROM svc_schema_migrations WHERE key = $1 AND target_hash = $2 FOR UPDATE';
    if ((await this.#rows(text, [key, target])).length === 0) throw new SupersededError(key);
  }

  #lock(tables: readonly string[]): Promise<void> {
    return lockExclusively(this.#client, tables, this.#settings.lockTimeoutMs);
  }

  /** Statements wait only briefly for locks, because all later readers and writers would wait too. */
  async #transaction<T>(work: (undo: <R>(result: R) => Promise<R>) => Promise<T>): Promise<T> {
    const { lockTimeoutMs, statementTimeoutMs } = this.#settings;
    let isUndone = false;
    const tables = this.#roles.state?.rights === 'perspectives' ? this.#roles.tableSettings : [];
    const limits = [`lock_timeout = ${lockTimeoutMs}`, `statement_timeout = ${statementTimeoutMs}`];
    await this.#client.query(['BEGIN', ...[...limits, ...tables].map((setting) => `SET LOCAL ${setting}`)].join('; '));
    try {
      const result = await work(async (undone) => {
        isUndone = true;
        await this.#client.query('ROLLBACK');
        return undone;
      });
      if (!isUndone) await this.#client.query('COMMIT');
      return result;
    } catch (error) {
      await this.#client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  async #number(text: string, column: string, values: QueryConfig['values'] = []): Promise<number> {
    const [row] = await this.#rows(text, values);
    return Number(row?.[column] ?? 0);
  }

  async #rows(text: string, values: QueryConfig['values'] = []): Promise<Row[]> {
    const { rows } = await this.#client.query<Row>({ text, values, types: rawTypes });
    return rows;
  }
}

/** Whether the first event comes after the second in the log. */
const behindStatement = `
  SELECT EXISTS (
    SELECT FROM svc_events live WHERE live.sequence = $1 AND NOT EXISTS (
      SELECT FROM svc_events replacement WHERE replacement.sequence = $2
        AND (replacement.transaction_id, replacement.sequence) >= (live.transaction_id, live.sequence))) AS behind`;
