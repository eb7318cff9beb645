import type { CommitRecord } from '../storage/index.js';
import type { MigrationFailureReason, MigrationStrategy } from '../system-events/index.js';
import type { BatchChange, MigrationBatch } from './migration-batch.js';
import type { MigrationRecord, RewriteProgress } from './migration-record.js';
import type { TableDefinition } from './table-definition.js';

/** What a database implements to be migrated. */
export interface MigrationDatabase {
  /** Everything that is recorded, in one query; null when nothing ever was. */
  records(): Promise<readonly MigrationRecord[] | null>;
  /** Records items as Skipped whose status is Applied or Updated and whose hash is still the same. What else is recorded of them stays. */
  recordSkipped(items: readonly UnchangedItem[]): Promise<void>;
  /** The batches that are not completed, or of which something is not emitted yet, oldest first. */
  batches(): Promise<readonly MigrationBatch[]>;
  /**
   * Takes the events out of a batch and commits the record, both or neither; a batch that is completed is removed with its last events. False, and
   * nothing has changed: the batch is not what it was when it was read.
   */
  emit(batch: MigrationBatch, record: CommitRecord | null): Promise<boolean>;
  /** Those of the tables that are there, with the names of their columns. */
  existing(tables: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The SQL that makes a table, or extends it where it is. */
  tableSql(old: TableDefinition | null, next: TableDefinition): readonly string[];
  /**
   * Begins a session that nobody else has under the same name at the same time; null when somebody has it at the moment. The table of
   * records is there from then on.
   */
  begin(name: string): Promise<MigrationSession | null>;
  /** What a failed statement is: SqlError, Timeout, ColumnTypeMismatch, or Unknown when it is not the database's. */
  classify(error: unknown): MigrationFailureReason;
  /** Whether somebody else's lock was in the way, and trying again may help. */
  isLocked(error: unknown): boolean;
  /** Whether the database went away: nothing is known to be wrong with the migration. */
  isGone(error: unknown): boolean;
}

/** A migration item whose recorded hash is the one that the program declares. */
export interface UnchangedItem {
  readonly key: string;
  readonly hash: string;
}

/** A table on its way from one definition to another. */
export interface Rewrite {
  readonly key: string;
  readonly strategy: MigrationStrategy;
  readonly from: TableDefinition;
  readonly to: TableDefinition;
  readonly target: string;
}

/** What is stored when a rewrite ends. */
export interface RewriteEnding {
  readonly record: MigrationRecord;
  readonly change: BatchChange;
}

/**
 * Work that one instance does alone. When its lock is lost, what it asks for fails and changes nothing. What is done to a rewrite
 * throws a `SupersededError` and changes nothing when the item has another target by now.
 */
export interface MigrationSession {
  records(): Promise<readonly MigrationRecord[]>;
  /** The same as those of the database. */
  batches(): Promise<readonly MigrationBatch[]>;
  startBatch(batch: MigrationBatch): Promise<void>;
  /** Changes a batch. One that is not there any more stays away, here and wherever a change goes along with something else. */
  changeBatch(change: BatchChange): Promise<void>;
  /** Writes a record; or throws a `SupersededError`, when what is applied is not what `expectedHash` says any more. */
  write(record: MigrationRecord, expectedHash: string | null, change?: BatchChange): Promise<void>;
  /** Keeps how far a rewrite has come. */
  keepProgress(rewrite: Rewrite, progress: RewriteProgress): Promise<void>;
  /** Runs SQL, writes a record and changes the batch, in one transaction. */
  apply(sql: readonly string[], record: MigrationRecord, change: BatchChange): Promise<void>;
  /**
   * Makes the new table of a rewrite, empty, or all new tables of a perspective whose models are made anew; removes what others left.
   * Returns the highest revision of the serving one, 0 when it is empty.
   */
  prepareNext(rewrite: Rewrite): Promise<number>;
  /** Whether the new table of a rewrite is there. It goes when somebody makes the models that are copied anew. */
  hasNext(rewrite: Rewrite): Promise<boolean>;
  /** Copies the next rows and keeps how far it has come, in one transaction. */
  copyBatch(rewrite: Rewrite, progress: RewriteProgress, limit: number): Promise<RewriteProgress>;
  /**
   * Puts the new table in the place of the serving one, writes the record and changes the batch, in one transaction and under one short lock. A table
   * that was copied stays as the backup; what was made of events has none. False, and nothing has changed: the serving table
   * has moved on by more than is caught up with at once.
   */
  swap(rewrite: Rewrite, progress: RewriteProgress, ending: RewriteEnding, limit: number): Promise<boolean>;
  /** Removes what `prepareNext` made, writes the record and changes the batch. */
  discardNext(rewrite: Rewrite, ending: RewriteEnding): Promise<void>;
  /** Puts the backup in the place of the table, which is removed; what was written since is carried over. */
  restore(current: TableDefinition, backup: TableDefinition, record: MigrationRecord): Promise<void>;
  close(): Promise<void>;
}
