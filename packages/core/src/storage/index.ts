export { around } from './around.js';
export { ConcurrencyConflictError } from './concurrency-conflict-error.js';
export {
  columnValue,
  columnValueOfText,
  compareCodePoints,
  isIndexableText,
  isPlainText,
  longestIndexedText,
  type ColumnValue,
} from './column-values.js';
export { DatabaseClock, type ClockSkew } from './database-clock.js';
export { DeadLetterCause, type DeadLetterRecord } from './dead-letter-record.js';
export type { DeferredOutboxChannel } from './deferred-outbox-channel.js';
export { DuplicateEventError } from './duplicate-event-error.js';
export { isInOrder, latestOf, renewedIn } from './event-ids.js';
export { behindEverything, EventLog, type CommitListener, type CommitObserver } from './event-log.js';
export type {
  AppendOptions,
  EventStore,
  EventStoreDecorator,
  StoredEvent,
  StreamEvent,
  StreamStart,
  UnitEventStore,
} from './event-store.js';
export { ForeignStreamError } from './foreign-stream-error.js';
export { GuardedLog, type StreamGuard, type StreamReach } from './guarded-log.js';
export { GroupCommit, type CommitBatch, type CommitOutcome, type GroupCommitOptions } from './group-commit.js';
export { IdempotencyKeyInUseError } from './idempotency-key-in-use-error.js';
export type { IdempotencyRecord } from './idempotency-record.js';
export { LateEventError } from './late-event-error.js';
export { InMemoryStorage } from './in-memory-storage.js';
export { InMemoryPerspectives } from './in-memory-perspectives.js';
export {
  keyColumn,
  sortedByKey,
  type ColumnCondition,
  type Comparison,
  type ModelPlace,
  type ModelQuery,
  type ModelSort,
  type OwnerCondition,
} from './model-query.js';
export type { OpenRewind, RewindChanges } from './open-rewind.js';
export {
  ModelSources,
  positionsOf,
  sourcesPerPage,
  type ModelSource,
  type SourceKey,
  type SourcePage,
} from './model-sources.js';
export { LateRecord } from './late-record.js';
export { beforeEverything, comparePlaces, type EventPlace, type LogPlace } from './log-place.js';
export { MessageSettledError } from './message-settled-error.js';
export { OutgoingSignal } from './outgoing-signal.js';
export { StorageDamagedError } from './storage-damaged-error.js';
export { StorageUnavailableError, type UnavailableReason } from './storage-unavailable-error.js';
export { PassThroughEventStore } from './pass-through-event-store.js';
export { mostPageBytes, pagesOf, smallBodyBytes } from './page-bytes.js';
export { plainMessage } from './plain-message.js';
export { nextTurn } from './next-turn.js';
export { PerspectiveDefinedOtherwiseError } from './perspective-defined-otherwise-error.js';
export { PerspectiveMovedError } from './perspective-moved-error.js';
export { PropertyNotReadyError } from './property-not-ready-error.js';
export { missingColumn } from './missing-column.js';
export { shortHash } from './short-hash.js';
export { withFilledColumns } from './filled-columns.js';
export {
  isAt,
  snapshotsKept,
  type BesideTables,
  type IndexedModel,
  type ModelIdentity,
  type ModelRecord,
  type ModelSnapshot,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type Progress,
  type RewoundModel,
  type StoppedStream,
} from './perspective-storage.js';
export {
  asideName,
  besideName,
  columnNameOf,
  isAsideName,
  isSameVersion,
  layoutOf,
  migratedName,
  mostAside,
  perspectiveOfName,
  tableNamesOf,
  tableOfText,
  tableText,
  type IndexedType,
  type PerspectiveColumn,
  type PerspectiveTable,
  type PerspectiveTableNames,
  type TableLayout,
} from './perspective-table.js';
export { keptPerspective, type KeptPerspective } from './kept-perspective.js';
export {
  OperationState,
  type OperationAsking,
  type OperationEnd,
  type OperationRecord,
  type OperationRequest,
} from './operation-record.js';
export type { OperationStorage } from './operation-storage.js';
export type { PerspectiveStanding } from './perspective-standing.js';
export { mostHeldBack, waitingEvents, type ReadingStall } from './reading-stall.js';
export type { Expiry } from './expiry.js';
export type {
  CommitRecord,
  Delivered,
  EventRecord,
  MessageRecord,
  OutboxLane,
  OutgoingRecord,
  PendingRecord,
  Storage,
  StoredOutgoing,
  ParsedRecord,
  ReplayPage,
  StoredRecord,
} from './storage.js';
export { unlessAborted } from './unless-aborted.js';
