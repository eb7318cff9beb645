import type { CommitRecord } from '../storage/index.js';
import type { MigrationFailureReason, MigrationStrategy } from '../system-events/index.js';
import type { BatchChange, MigrationBatch } from './migration-batch.js';
import type { BackgroundIndex } from './migration-item.js';
import type { MigrationRecord, RewriteProgress } from './migration-record.js';
import type { TableDefinition } from './table-definition.js';

/**
 * What the database role of this process may change. `everything`: the only role. `infrastructure`: the owner of the log, which does not touch the tables
 * of perspectives. `perspectives`: the role that services run as.
 */
export type MigrationRights = 'everything' | 'infrastructure' | 'perspectives';

/** The interface that a database implements for migrations. */
export interface MigrationDatabase {
  /** What this process may change. */
  rights(): Promise<MigrationRights>;
  /** All records, in one query; null: the table of records does not exist. */
  records(): Promise<readonly MigrationRecord[] | null>;
  /** Records items with the status Applied or Updated and an unchanged hash as Skipped. The rest of their records does not change. */
  recordSkipped(items: readonly UnchangedItem[]): Promise<void>;
  /** The batches that are not completed or have events to emit, the oldest first. */
  batches(): Promise<readonly MigrationBatch[]>;
  /**
   * Removes the events from a batch and commits the record, in one transaction. A completed batch is deleted with its last events. False: the
   * batch has changed since it was read, and nothing was committed.
   */
  emit(batch: MigrationBatch, record: CommitRecord | null): Promise<boolean>;
  /** The tables that exist, with the names of their columns. */
  existing(tables: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Those of the indexes that do not exist, or that a failed attempt left incomplete. Only for items with indexes. */
  missingIndexes?(indexes: readonly BackgroundIndex[]): Promise<readonly BackgroundIndex[]>;
  /** The SQL that creates a table, or extends it in place. */
  tableSql(old: TableDefinition | null, next: TableDefinition): readonly string[];
  /**
   * Starts a session that holds an exclusive lock on its name; null: another process holds it. From then on the table of records exists.
   */
  begin(name: string): Promise<MigrationSession | null>;
  /** Classifies an error: SqlError, Timeout, ColumnTypeMismatch, or Unknown if it is not an error of the database. */
  classify(error: unknown): MigrationFailureReason;
  /** Whether a lock of another transaction caused the error, so that a retry may succeed. */
  isLocked(error: unknown): boolean;
  /** Whether the database is unavailable, so that the error says nothing about the migration. */
  isGone(error: unknown): boolean;
}

/** A migration item whose recorded hash is that of the program. */
export interface UnchangedItem {
  readonly key: string;
  readonly hash: string;
}

/** The change of a table from one definition to another. */
export interface Rewrite {
  readonly key: string;
  readonly strategy: MigrationStrategy;
  readonly from: TableDefinition;
  readonly to: TableDefinition;
  readonly target: string;
}

/** The changes that are stored when a rewrite ends. */
export interface RewriteEnding {
  readonly record: MigrationRecord;
  readonly change: BatchChange;
}

/**
 * A session that one instance holds exclusively. If its lock is lost, every call throws a `SessionLostError` or another
 * `StorageUnavailableError` and changes nothing. Calls for a rewrite throw a
 * `SupersededError` and change nothing if the item has another target now.
 */
export interface MigrationSession {
  records(): Promise<readonly MigrationRecord[]>;
  /** Like `batches` of the database. */
  batches(): Promise<readonly MigrationBatch[]>;
  startBatch(batch: MigrationBatch): Promise<void>;
  /** Changes a batch. Like every change of a batch in this interface, it does nothing if the batch no longer exists. */
  changeBatch(change: BatchChange): Promise<void>;
  /** Writes a record. Throws a `SupersededError` if the applied hash is no longer `expectedHash`. */
  write(record: MigrationRecord, expectedHash: string | null, change?: BatchChange): Promise<void>;
  /** Stores the progress of a rewrite. */
  storeProgress(rewrite: Rewrite, progress: RewriteProgress): Promise<void>;
  /** Runs SQL, writes a record and changes the batch, in one transaction. */
  apply(sql: readonly string[], record: MigrationRecord, change: BatchChange): Promise<void>;
  /** Builds an index while others write to its table. A failed attempt can be repeated. Only for items with indexes. */
  buildIndex?(index: BackgroundIndex, signal: AbortSignal): Promise<void>;
  /**
   * Creates the empty new table of a rewrite, or all new tables of a perspective whose models are replayed, and removes those of earlier
   * rewrites. Returns the highest revision of the serving table, 0 if it is empty.
   */
  prepareNext(rewrite: Rewrite): Promise<number>;
  /** Whether the new table of a rewrite exists. A rebuild of the copied models removes it. */
  hasNext(rewrite: Rewrite): Promise<boolean>;
  /** Copies the next rows and stores the progress, in one transaction. */
  copyBatch(rewrite: Rewrite, progress: RewriteProgress, limit: number): Promise<RewriteProgress>;
  /**
   * Replaces the serving table with the new one, writes the record and changes the batch, in one transaction and under one short lock. After a copy the
   * old table remains as the backup; after a replay there is none. False: more than `limit` rows have changed since the last batch, and nothing
   * was committed.
   */
  swap(rewrite: Rewrite, progress: RewriteProgress, ending: RewriteEnding, limit: number): Promise<boolean>;
  /** Removes the tables that `prepareNext` has created, writes the record and changes the batch. */
  discardNext(rewrite: Rewrite, ending: RewriteEnding): Promise<void>;
  /** Replaces the table with its backup, with the rows that were written since, and removes the table. */
  restore(current: TableDefinition, backup: TableDefinition, record: MigrationRecord): Promise<void>;
  close(): Promise<void>;
}
