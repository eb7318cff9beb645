import type { Uuid } from '../json/index.js';
import type { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../system-events/index.js';
import type { TableDefinition } from './table-definition.js';

/** The record of one item in `svc_schema_migrations`. Times are milliseconds since 1970. */
export interface MigrationRecord {
  readonly key: string;
  /** The hash of the applied item; null: none is applied. A failure does not change it. */
  readonly hash: string | null;
  readonly status: MigrationStatus;
  readonly description: string;
  readonly strategy: MigrationStrategy;
  readonly failureReason: MigrationFailureReason | null;
  readonly error: string | null;
  /** The version of the library that set the status. */
  readonly libraryVersion: string;
  /** The oldest version that can work with it; null: any. */
  readonly requiresVersion: string | null;
  /** The definition of a table, as JSON. */
  readonly definition: string | null;
  /** The previous hashes, the oldest first: a program that has one of them is an older one. */
  readonly previousHashes: readonly string[];
  /** The progress of a rewrite in the background; null: there is none. */
  readonly progress: RewriteProgress | null;
  /** The table before its last rewrite, which its backup has. */
  readonly backup: TableBackup | null;
  readonly appliedAt: number | null;
  readonly updatedAt: number;
  readonly durationMs: number;
}

export interface TableBackup {
  readonly hash: string | null;
  readonly definition: TableDefinition;
}

/** The progress of a rewrite, stored with every batch so that any instance can resume it. */
export interface RewriteProgress {
  /** The hash that the item will have. */
  readonly target: string;
  /** The batch in which its end is emitted. Absent: a version without batches started it. */
  readonly batch?: Uuid;
  readonly definition: TableDefinition;
  /** `prepare`: create the new table. `copy`: copy rows in the order of keys. `catchUp`: copy rows written since, in the order of revisions. */
  readonly phase: 'prepare' | 'copy' | 'catchUp' | 'replay';
  /** The last key that was copied. */
  readonly copiedKey: string | null;
  /** Rows up to here are copied: a revision, and a key among the rows of that revision. */
  readonly revision: number;
  readonly revisionKey: string | null;
  readonly rows: number;
  readonly startedAt: number;
}
