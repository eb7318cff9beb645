export { ConcurrencyConflictError } from './concurrency-conflict-error.js';
export type { DeferredOutboxChannel, OutgoingMessage } from './deferred-outbox-channel.js';
export { DuplicateEventError } from './duplicate-event-error.js';
export { EventLog, type CommitListener } from './event-log.js';
export type {
  AppendOptions,
  EventStore,
  EventStoreDecorator,
  StoredEvent,
  StreamEvent,
  StreamStart,
  UnitEventStore,
} from './event-store.js';
export { GroupCommit, type CommitBatch, type CommitOutcome, type GroupCommitOptions } from './group-commit.js';
export { InMemoryStorage } from './in-memory-storage.js';
export { MessageSettledError } from './message-settled-error.js';
export { OutgoingSignal } from './outgoing-signal.js';
export { StorageUnavailableError } from './storage-unavailable-error.js';
export type {
  CommitRecord,
  EventRecord,
  MessageRecord,
  OutboxLane,
  OutgoingRecord,
  PendingRecord,
  Storage,
  StoredOutgoing,
  StoredRecord,
} from './storage.js';
