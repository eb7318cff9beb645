export { ConcurrencyConflictError } from './concurrency-conflict-error.js';
export { EventStore, type PendingEvent, type StoredEvent, type StreamEvent } from './event-store.js';
export { InMemoryStorage } from './in-memory-storage.js';
export type { CommitRecord, EventRecord, PendingRecord, Storage, StoredRecord } from './storage.js';
