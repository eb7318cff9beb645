export { isNewer, libraryVersion } from './library-version.js';
export { migrationsOf, type MigratingStorage } from './migrating-storage.js';
export {
  changedBatch,
  emittedBatch,
  type BatchChange,
  type BatchItem,
  type BatchStep,
  type MigrationBatch,
} from './migration-batch.js';
export type {
  MigrationDatabase,
  MigrationRights,
  MigrationSession,
  Rewrite,
  RewriteEnding,
  UnchangedItem,
} from './migration-database.js';
export type { DatedMigrationEvent, MigrationEventTarget } from './migration-emission.js';
export type { MigrationEvent, StoredMigrationEvent } from './migration-event.js';
export { MigrationFailedError } from './migration-failed-error.js';
export type { BackgroundIndex, MigrationItem, Replay, ReplayTarget, SqlItem, TableItem } from './migration-item.js';
export { migrationSettings, type MigrationOptions, type MigrationSettings } from './migration-options.js';
export type { MigrationRecord, RewriteProgress, TableBackup } from './migration-record.js';
export { Migrations, type MigrationsState } from './migrations.js';
export { modelsDefinition, perspectiveItem, perspectiveTableOf, tablesOfRewrite } from './perspective-item.js';
export type { PlannedItem } from './plan.js';
export { hasIndex, strategyBetween } from './strategy.js';
export { SessionLostError } from './session-lost-error.js';
export { SupersededError } from './superseded-error.js';
export { insertBatchStatement, readBatchesStatement, replaceBatchStatement, toBatch } from './sql/batch-statements.js';
export { recordColumns, recordUpdates, recordValues, toMigrationRecord } from './sql/record-rows.js';
export { lastRevision, progressAfter, removeGone, restoreBackup, swapTables, writtenSince } from './sql/rewrite-sql.js';
export { createTable, extendTable, quoted, type TableDialect } from './sql/table-sql.js';
export type { ColumnDefinition, ColumnType, TableDefinition } from './table-definition.js';
