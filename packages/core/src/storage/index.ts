export { archiveEvents, type ArchivableStorage } from './archive/archive-events.js';
export {
  compressed,
  decompressed,
  lineOfRecord,
  recordOfLine,
  sha256Of,
  type ArchiveFile,
} from './archive/archive-file.js';
export type { ArchiveStore } from './archive/archive-store.js';
export { ArchivedBodies } from './archive/archived-bodies.js';
export { folderArchive } from './archive/folder-archive.js';
export type { ArchiveObstacle, StorageArchive } from './capabilities/archive.js';
export type { DigestedEvents, DigestingThread, SealHead, SealRecord, StorageSeals } from './capabilities/seals.js';
export type { SnapshotRecord, StorageSnapshots } from './capabilities/snapshots.js';
export type { RemovedRecords, StorageSubjectKeys, SubjectKeyRecord } from './capabilities/subject-keys.js';
export { around } from './database/around.js';
export { ConcurrencyConflictError } from './concurrency-conflict-error.js';
export {
  columnValue,
  columnValueOfText,
  compareCodePoints,
  isIndexableText,
  isPlainText,
  longestIndexedText,
  type ColumnValue,
  compareColumnValues,
} from './models/column-values.js';
export { DatabaseClock, type ClockSkew } from './log/database-clock.js';
export { DeadLetterCause, type DeadLetterRecord } from './dead-letter-record.js';
export type { DeferredOutboxChannel } from './log/deferred-outbox-channel.js';
export { DuplicateEventError } from './duplicate-event-error.js';
export { isInOrder, latestOf, mostAheadMs, receivedLimit, renewedIn } from './log/event-ids.js';
export { behindEverything, EventLog, type CommitListener, type CommitObserver } from './log/event-log.js';
export type {
  AppendOptions,
  EventStore,
  EventStoreDecorator,
  StoredEvent,
  StreamEvent,
  StreamStart,
  UnitEventStore,
} from './log/event-store.js';
export { ForeignStreamError } from './foreign-stream-error.js';
export { GuardedLog, type StreamGuard, type StreamReach } from './log/guarded-log.js';
export { GroupCommit, type CommitBatch, type CommitOutcome, type GroupCommitOptions } from './database/group-commit.js';
export { IdempotencyKeyInUseError } from './idempotency-key-in-use-error.js';
export type { IdempotencyRecord, IdempotentResult } from './idempotency-record.js';
export { LateEventError } from './late-event-error.js';
export { keyOfModelId, modelIdOf, ownerSeparator } from './models/model-id.js';
export { InMemoryStorage } from './memory/in-memory-storage.js';
export { InMemoryPerspectives } from './memory/in-memory-perspectives.js';
export {
  keyColumn,
  sortedByKey,
  type ColumnCondition,
  type Comparison,
  type ModelPlace,
  type ModelQuery,
  type ModelSelection,
  type ModelSort,
  type OwnerCondition,
} from './models/model-query.js';
export type { BegunRewind, OpenRewind, RewindChanges } from './models/open-rewind.js';
export {
  ModelSources,
  positionsOf,
  sourcesPerPage,
  type ModelSource,
  type SourceKey,
  type SourcePage,
} from './models/model-sources.js';
export {
  asTables,
  migratingTables,
  newTables,
  type ModelTables,
  type TableRole,
  type TablesRef,
} from './models/model-tables.js';
export { LateRecord } from './database/late-record.js';
export { beforeEverything, comparePlaces, type EventPlace, type LogPlace } from './log-place.js';
export { EventBytes, EventId, EventText, idBytes, type LogPage } from './log-page.js';
export { MessageSettledError } from './message-settled-error.js';
export { OutgoingSignal } from './database/outgoing-signal.js';
export { LogWentBackError } from './log-went-back-error.js';
export { StorageDamagedError } from './storage-damaged-error.js';
export { StorageUnavailableError, type UnavailableReason } from './storage-unavailable-error.js';
export { PassThroughEventStore } from './log/pass-through-event-store.js';
export { mostPageBytes, smallBodyBytes } from './database/page-bytes.js';
export { pagesOf } from './database/page-bytes.js';
export { plainMessage } from './database/plain-message.js';
export { RenewedRecord } from './database/renewed-record.js';
export { referenceBody, storedForm, type StoredForm } from './database/stored-form.js';
export { PerspectiveDefinedOtherwiseError } from './models/perspective-defined-otherwise-error.js';
export { PerspectiveMovedError } from './models/perspective-moved-error.js';
export { PropertyNotReadyError } from './models/property-not-ready-error.js';
export { missingColumn } from './models/missing-column.js';
export { ModelListeners, type ModelChange, type ModelChanges, type ModelListener } from './models/model-changes.js';
export { isOfSegment, segmentsOf, type Segment } from './models/segment.js';
export type { SegmentStorage } from './models/segment-storage.js';
export { shortHash } from './models/short-hash.js';
export { withFilledColumns } from './models/filled-columns.js';
export {
  retainedSnapshots,
  type IndexedModel,
  type ModelIdentity,
  type ModelRecord,
  type StoredModel,
  type ModelSnapshot,
  type PerspectiveCommit,
  type ModelReplica,
  type PerspectiveStorage,
  type RebuildingTables,
  type RewoundModel,
  type StoppedStream,
} from './models/perspective-storage.js';
export { isAt, type Progress } from './models/progress.js';
export {
  columnNameOf,
  isSameVersion,
  layoutOf,
  tableNamesOf,
  type IndexedType,
  type PerspectiveColumn,
  type PerspectiveTable,
  type PerspectiveTableNames,
  type TableLayout,
} from './models/perspective-table.js';
export type { RecordedPerspective } from './models/recorded-perspective.js';
export {
  OperationState,
  type OperationAsking,
  type OperationEnd,
  type OperationRecord,
  type OperationRequest,
} from './operation-record.js';
export type { OperationStorage } from './capabilities/operation-storage.js';
export {
  indexedAuditTypes,
  type AuditedCause,
  type AuditPlace,
  type AuditRange,
  type AuditRecords,
  type AuditSource,
  type PlacedAuditRecord,
  type StorageAudit,
} from './capabilities/audit.js';
export {
  missedIntervals,
  type ActivityRange,
  type CommandCounts,
  type HostActivity,
  type RecordedHost,
  type StorageHosts,
  type VersionActivity,
} from './capabilities/hosts.js';
export type { OutboxStanding, StorageBacklog } from './capabilities/backlog.js';
export type { StorageClock } from './capabilities/clock.js';
export { ArchiveDamagedError, ArchiveMissingError } from './archive/archive-error.js';
export type { DatabaseAccess, SampledEvent, StorageConnection } from './capabilities/connection.js';
export { isShared, leasesOf, type HeldLease, type StorageLeases } from './capabilities/leases.js';
export { notificationsOf, type StorageNotifications } from './capabilities/notifications.js';
export { perspectivesOf } from './capabilities/perspectives.js';
export type { InstanceFilter, StorageProcesses } from './capabilities/processes.js';
export type { ProcessInstanceRecord, ProcessStep } from './process-record.js';
export type { DueStreams, ReactionTerm, SegmentMove, StorageReactions } from './capabilities/reactions.js';
export { reactionSegmentOf, reactionSegments } from './reaction-segment.js';
export { replayOf, type ReplayPage, type StorageReplay } from './capabilities/replay.js';
export type { StorageSystemDelivery } from './capabilities/system-delivery.js';
export { eventsPerSecond, type PerspectiveStanding, type SegmentStanding } from './perspective-standing.js';
export type {
  FailedStream,
  FailedStreamRecord,
  ReactedEvent,
  ReactionFacts,
  ReactionRecord,
  ReactionSegment,
  ReactionStanding,
  ReactionStart,
} from './reaction-record.js';
export { ReactionTakenOverError } from './reaction-taken-over-error.js';
export { mostHeldBack, waitingEvents, type ReadingStall } from './reading-stall.js';
export type { Expiry } from './expiry.js';
export {
  countStatement,
  listStatement,
  mostOwnersListed,
  ownersStatement,
  type ListDialect,
} from './sql/list-statement.js';
export { contentColumn, toDeadLetter, toIdempotent, toOutgoing } from './sql/message-rows.js';
export {
  idsIn,
  indexedColumn,
  modelsOf,
  scopeRow,
  toModel,
  toSnapshot,
  toSource,
  toStopped,
} from './sql/model-rows.js';
export { dropBackup, PerspectiveChanges, recordTable } from './sql/perspective-changes.js';
export {
  placeOfVersion,
  toRecordedPerspective,
  toRebuilding,
  toRecordedTables,
  toTablesInRole,
  type RecordedTables,
} from './sql/recorded-tables.js';
export { recordedProgress } from './sql/segment-progress.js';
export { backupTable, nextTable } from './sql/rewritten-table.js';
export type { ParameterMark, SqlRow, SqlStatement, SqlValue } from './sql/sql-statement.js';
export type { CommitRecord, Delivered } from './commit-record.js';
export type { EventRecord, MessageRecord, ParsedRecord, PendingRecord, StoredRecord } from './event-record.js';
export type { OutboxLane, OutgoingRecord, StoredOutgoing } from './outgoing-record.js';
export type { Storage, StorageCapability } from './storage.js';
export type { ClaimedCommands, ScheduleStanding, ScheduleStorage } from './capabilities/schedule.js';
export {
  scheduleKeyText,
  tenantOfCommand,
  type DueTime,
  type ScheduleChanges,
  type ScheduledCommand,
  type ScheduledRecord,
  type ScheduleKey,
} from './scheduled-record.js';
