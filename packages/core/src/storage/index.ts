export { ConcurrencyConflictError } from './concurrency-conflict-error.js';
export type { CommitRecord, PendingEvent, Storage, StoredEvent, StreamEvent } from './storage.js';
export { InMemoryStorage } from './in-memory-storage.js';
