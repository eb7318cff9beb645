import type { Uuid } from '../json/index.js';
import type { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import type { TableDefinition } from './table-definition.js';

/** A row of `svc_schema_migrations`: what is known of one item. Times are milliseconds since 1970. */
export interface MigrationRecord {
  readonly key: string;
  /** Of what is applied; null when nothing is. A failure leaves it as it was. */
  readonly hash: string | null;
  readonly status: MigrationStatus;
  readonly description: string;
  readonly strategy: MigrationStrategy;
  readonly failureReason: MigrationFailureReason | null;
  readonly error: string | null;
  /** The version of the library that did what the status says. */
  readonly libraryVersion: string;
  /** The oldest version that can work with it; null: any. */
  readonly requiresVersion: string | null;
  /** What a table is, as JSON. */
  readonly definition: string | null;
  /** What it was before, oldest first: a program that knows no more than these is an older one. */
  readonly previousHashes: readonly string[];
  /** How far a rewrite in the background has come; null when there is none. */
  readonly progress: RewriteProgress | null;
  /** What the table was before its last rewrite, and still is in its backup. */
  readonly backup: TableBackup | null;
  readonly appliedAt: number | null;
  readonly updatedAt: number;
  readonly durationMs: number;
}

export interface TableBackup {
  readonly hash: string | null;
  readonly definition: TableDefinition;
}

/** How far a rewrite has come: kept with every batch, so that whoever goes on does so there. */
export interface RewriteProgress {
  /** The hash that the item will have. */
  readonly target: string;
  /** The batch in which its end is emitted. Absent: it was begun before there were batches. */
  readonly batch?: Uuid;
  readonly definition: TableDefinition;
  /** `prepare`: the new table is not there yet. `copy`: in the order of keys. `catchUp`: what was written since, in its order. */
  readonly phase: 'prepare' | 'copy' | 'catchUp' | 'replay';
  /** The last key that was copied. */
  readonly copiedKey: string | null;
  /** What was written up to here is copied: a revision, and a key among the rows of that revision. */
  readonly revision: number;
  readonly revisionKey: string | null;
  readonly rows: number;
  readonly startedAt: number;
}
