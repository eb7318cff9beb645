import type { Duration, Int, Uuid } from '../../json/index.js';
import type { Event } from '../../messages/index.js';
import { auditEvent } from '../audit-attribute.js';

const reason = 'Migration events are records themselves.';

/** The result of one item of a migration. */
export const MigrationStatus = { Applied: 1, Updated: 2, Skipped: 3, MigratingInBackground: 4, Failed: -1 } as const;
export type MigrationStatus = (typeof MigrationStatus)[keyof typeof MigrationStatus];

/** How an item of a migration is applied. */
export const MigrationStrategy = {
  DirectDdl: 'DirectDdl',
  ColumnCopy: 'ColumnCopy',
  EventReplay: 'EventReplay',
} as const;
export type MigrationStrategy = (typeof MigrationStrategy)[keyof typeof MigrationStrategy];

/** Why an item of a migration failed. */
export const MigrationFailureReason = {
  Unknown: 0,
  SqlError: 1,
  Timeout: 2,
  ColumnTypeMismatch: 3,
  DataCopyFailed: 4,
  SwapFailed: 5,
} as const;
export type MigrationFailureReason = (typeof MigrationFailureReason)[keyof typeof MigrationFailureReason];

/** Emitted when a host starts to migrate an item. */
@auditEvent({ exclude: true, reason })
export class MigrationItemStarted implements Event {
  /** The same in all events of one batch. */
  streamId!: Uuid;
  migrationKey!: string;
  strategy!: MigrationStrategy;
  oldHash!: string | null;
  newHash!: string;
}

/** Emitted when an item was migrated, skipped, or handed to the background. */
@auditEvent({ exclude: true, reason })
export class MigrationItemCompleted implements Event {
  /** The same in all events of one batch. */
  streamId!: Uuid;
  migrationKey!: string;
  status!: MigrationStatus;
  statusDescription!: string;
  duration!: Duration;
}

/** Emitted when the migration of an item failed. */
@auditEvent({ exclude: true, reason })
export class MigrationItemFailed implements Event {
  /** The same in all events of one batch. */
  streamId!: Uuid;
  migrationKey!: string;
  status!: MigrationStatus;
  failureReason!: MigrationFailureReason;
  error!: string;
  duration!: Duration;
}

/** Emitted when a host starts to migrate the schema. */
@auditEvent({ exclude: true, reason })
export class MigrationBatchStarted implements Event {
  /** The same in all events of one batch. */
  streamId!: Uuid;
  libraryVersion!: string;
  totalMigrations!: Int;
  totalPerspectives!: Int;
}

/** The result of one item in a `MigrationBatchCompleted`. */
export interface MigrationBatchItemResult {
  migrationKey: string;
  status: MigrationStatus;
  statusDescription: string;
}

/** Emitted when a host has migrated the schema, with the result of each item. */
@auditEvent({ exclude: true, reason })
export class MigrationBatchCompleted implements Event {
  /** The same in all events of one batch. */
  streamId!: Uuid;
  libraryVersion!: string;
  results!: readonly MigrationBatchItemResult[];
  applied!: Int;
  updated!: Int;
  skipped!: Int;
  failed!: Int;
  totalDuration!: Duration;
}
