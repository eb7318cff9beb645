import {
  MigrationStrategy,
  nextTable,
  SupersededError,
  type MigrationRecord,
  type MigrationSession,
  type MigrationSettings,
  type Rewrite,
  type RewriteProgress,
  type TableDefinition,
} from '@svc/core';
import type { Client, QueryConfig } from 'pg';
import { rawTypes } from '../raw-types.js';
import type { Row } from '../rows.js';
import { recordsStatement, toRecord, writeRecord } from './records.js';
import {
  copyStatement,
  lastRevision,
  leftStatement,
  removeGone,
  restoreTable,
  swapTables,
  writtenSince,
} from './rewrite-statements.js';
import { createTable, quoted } from './table-sql.js';

/** Work on a connection that holds an advisory lock: when the connection is lost, so is the lock, and the other way round. */
export class PostgresMigrationSession implements MigrationSession {
  readonly #client: Client;
  readonly #settings: MigrationSettings;
  readonly #end: () => Promise<void>;

  constructor(client: Client, settings: MigrationSettings, end: () => Promise<void>) {
    this.#client = client;
    this.#settings = settings;
    this.#end = end;
  }

  async records(): Promise<readonly MigrationRecord[]> {
    return (await this.#rows(recordsStatement)).map(toRecord);
  }

  async write(record: MigrationRecord, expectedHash: string | null): Promise<void> {
    if (!(await writeRecord(this.#client, record, expectedHash))) throw new SupersededError(record.key);
  }

  apply(sql: readonly string[], record: MigrationRecord): Promise<void> {
    return this.#transaction(async () => {
      for (const statement of sql) await this.#rows(statement);
      await writeRecord(this.#client, record);
    });
  }

  prepareNext(rewrite: Rewrite): Promise<number> {
    const { from, to } = rewrite;
    const next = nextTable(to.table);
    return this.#transaction(async () => {
      await this.#requireTarget(rewrite);
      await this.#rows(`DROP TABLE IF EXISTS ${quoted(next)}`);
      for (const statement of createTable(to, next)) await this.#rows(statement);
      return await this.#number(lastRevision(from), 'revision');
    });
  }

  async hasNext({ to }: Rewrite): Promise<boolean> {
    const [row] = await this.#rows('SELECT to_regclass($1) IS NOT NULL AS there', [quoted(nextTable(to.table))]);
    return row?.['there'] === 't';
  }

  async keepProgress(rewrite: Rewrite, progress: RewriteProgress): Promise<void> {
    const text = `UPDATE svc_schema_migrations SET progress = $3, updated_at = now() WHERE key = $1 AND target_hash = $2 RETURNING 1`;
    const rows = await this.#rows(text, [rewrite.key, rewrite.target, JSON.stringify(progress)]);
    if (rows.length === 0) throw new SupersededError(rewrite.key);
  }

  copyBatch(rewrite: Rewrite, progress: RewriteProgress, limit: number): Promise<RewriteProgress> {
    return this.#transaction(async () => {
      const next = await this.#copy(rewrite, progress, limit);
      await this.keepProgress(rewrite, next);
      return next;
    });
  }

  swap(rewrite: Rewrite, progress: RewriteProgress, record: MigrationRecord, limit: number): Promise<boolean> {
    const { from, to } = rewrite;
    return this.#transaction(async (undo) => {
      await this.#requireTarget(rewrite);
      await this.#rows(`LOCK TABLE ${quoted(from.table)} IN ACCESS EXCLUSIVE MODE`);
      if (rewrite.strategy === MigrationStrategy.EventReplay) {
        if ((await this.#number(lastRevision(from), 'revision')) > progress.revision) return undo(false);
      } else {
        const { text, values } = leftStatement(rewrite, progress, limit);
        if ((await this.#number(text, 'rows', values)) > limit) return undo(false);
        await this.#copy(rewrite, { ...progress, phase: 'catchUp' }, limit);
        await this.#rows(removeGone(from, nextTable(to.table)));
      }
      for (const statement of swapTables(to.table)) await this.#rows(statement);
      await writeRecord(this.#client, record);
      return true;
    });
  }

  discardNext(rewrite: Rewrite, record: MigrationRecord): Promise<void> {
    return this.#transaction(async () => {
      await this.#requireTarget(rewrite);
      await this.#rows(`DROP TABLE IF EXISTS ${quoted(nextTable(rewrite.to.table))}`);
      await writeRecord(this.#client, record);
    });
  }

  writtenSince(backup: TableDefinition): Promise<number> {
    return this.#number(`SELECT count(*) AS rows ${writtenSince(backup)}`, 'rows');
  }

  restore(current: TableDefinition, backup: TableDefinition, record: MigrationRecord): Promise<void> {
    return this.#transaction(async () => {
      await this.#rows(`LOCK TABLE ${quoted(current.table)} IN ACCESS EXCLUSIVE MODE`);
      for (const statement of restoreTable(current, backup)) await this.#rows(statement);
      await writeRecord(this.#client, record);
    });
  }

  close(): Promise<void> {
    return this.#end();
  }

  async #copy(rewrite: Rewrite, progress: RewriteProgress, limit: number): Promise<RewriteProgress> {
    const { text, values } = copyStatement(rewrite, progress, limit);
    const [row] = await this.#rows(text, values);
    const rows = Number(row?.['rows'] ?? 0);
    const key = row?.['key'] ?? null;
    if (progress.phase === 'copy') {
      const phase = rows < limit ? 'catchUp' : 'copy';
      return { ...progress, phase, copiedKey: key ?? progress.copiedKey, rows: progress.rows + rows };
    }
    if (rows === 0) return progress;
    return { ...progress, revision: Number(row?.['revision']), revisionKey: key, rows: progress.rows + rows };
  }

  /** Holds the item's record until the end of the transaction. */
  async #requireTarget({ key, target }: Rewrite): Promise<void> {
    const text = 'SELECT 1 FROM svc_schema_migrations WHERE key = $1 AND target_hash = $2 FOR UPDATE';
    if ((await this.#rows(text, [key, target])).length === 0) throw new SupersededError(key);
  }

  /** Statements wait for locks for a moment only: whoever comes behind them would wait as well. */
  async #transaction<T>(work: (undo: <R>(result: R) => Promise<R>) => Promise<T>): Promise<T> {
    const { lockTimeoutMs, statementTimeoutMs } = this.#settings;
    let isUndone = false;
    await this.#client.query(
      `BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL statement_timeout = ${statementTimeoutMs}`,
    );
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
