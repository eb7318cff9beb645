import type { Uuid } from '../json/index.js';
import type { StorageArchive } from './capabilities/archive.js';
import type { StorageAudit } from './capabilities/audit.js';
import type { StorageBacklog } from './capabilities/backlog.js';
import type { StorageClock } from './capabilities/clock.js';
import type { StorageConnection } from './capabilities/connection.js';
import type { StorageHosts } from './capabilities/hosts.js';
import type { StorageLeases } from './capabilities/leases.js';
import type { StorageNotifications } from './capabilities/notifications.js';
import type { OperationStorage } from './capabilities/operation-storage.js';
import type { StorageProcesses } from './capabilities/processes.js';
import type { StorageReactions } from './capabilities/reactions.js';
import type { StorageReplay } from './capabilities/replay.js';
import type { ScheduleStorage } from './capabilities/schedule.js';
import type { StorageSeals } from './capabilities/seals.js';
import type { StorageSnapshots } from './capabilities/snapshots.js';
import type { StorageSubjectKeys } from './capabilities/subject-keys.js';
import type { StorageSystemDelivery } from './capabilities/system-delivery.js';
import type { CommitRecord } from './commit-record.js';
import type { DeadLetterCause, DeadLetterRecord } from './dead-letter-record.js';
import type { StoredRecord } from './event-record.js';
import type { Expiry } from './expiry.js';
import type { IdempotentResult } from './idempotency-record.js';
import type { EventPlace, LogPlace } from './log-place.js';
import type { PerspectiveStorage } from './models/perspective-storage.js';
import type { OutboxLane, StoredOutgoing } from './outgoing-record.js';
import type { ReadingStall } from './reading-stall.js';

/**
 * The optional capabilities of a storage. A storage has a capability as a whole or not at all; the file of each says what happens without it.
 */
export interface StorageCapabilities {
  readonly connection?: StorageConnection;
  readonly leases?: StorageLeases;
  readonly notifications?: StorageNotifications;
  readonly clock?: StorageClock;
  readonly replay?: StorageReplay;
  readonly systemDelivery?: StorageSystemDelivery;
  readonly operations?: OperationStorage;
  readonly snapshots?: StorageSnapshots;
  readonly perspectives?: PerspectiveStorage;
  readonly archive?: StorageArchive;
  readonly schedule?: ScheduleStorage;
  readonly reactions?: StorageReactions;
  readonly processes?: StorageProcesses;
  readonly audit?: StorageAudit;
  readonly subjectKeys?: StorageSubjectKeys;
  readonly seals?: StorageSeals;
  readonly hosts?: StorageHosts;
  readonly backlog?: StorageBacklog;
}

/** The interface that a database adapter implements. */
export interface Storage extends StorageCapabilities {
  /** The name of the database system for telemetry, as OpenTelemetry defines it: `postgresql`. Absent: the storage is not a database. */
  readonly systemName?: string;
  /**
   * Connects and creates what is missing. The service calls it when it starts; everything else may be called before it has
   * resolved, and waits for it.
   */
  open(): Promise<void>;
  /** Releases everything once the calls in progress have ended. A database rejects later calls. */
  close(): Promise<void>;
  /**
   * Commits a record. Or commits nothing of it, and throws a `ForeignStreamError`, a `ConcurrencyConflictError`, a `MessageSettledError`,
   * a `ReactionTakenOverError`, a `DuplicateEventError`, an `IdempotencyKeyInUseError`, a `StorageUnavailableError` or a `StorageDamagedError`. A signal that aborts
   * before the storage has begun to commit cancels the record: nothing of it is committed, and the reason of the signal is thrown. A
   * signal that aborts later changes nothing.
   *
   * A storage with a `connection` recognizes a record that it has committed before by the ids of its events and messages: committing it
   * again succeeds and changes nothing.
   */
  commit(record: CommitRecord, signal?: AbortSignal): void | Promise<void>;
  /** The events of a stream in order, starting at a position. */
  readStream(streamId: Uuid, fromPosition?: number): AsyncIterable<StoredRecord>;
  /** The events of a stream at some positions, which ascend. */
  readPositions(streamId: Uuid, positions: readonly number[]): AsyncIterable<StoredRecord>;
  /**
   * All events after the one with a sequence number, -1 for all. Their order never changes, and has the events of each stream and of
   * each record in their own order. No event ever appears before one that was read.
   */
  readAll(afterSequence?: number): AsyncIterable<StoredRecord>;
  /** The open transaction that holds back `readAll`; null: there is none. Uses a connection that is already open. */
  readingStall(): Promise<ReadingStall | null>;
  /** The event with an id; null when there is none. The cost does not depend on the length of its stream. */
  findEvent(eventId: Uuid): Promise<StoredRecord | null>;
  /** The place of the event with an id, and its tenant; null when there is none. */
  findPlace(eventId: Uuid): Promise<EventPlace | null>;
  /** The place of the event with a sequence number. */
  placeAt(sequence: number): Promise<LogPlace>;
  /** The tenant that a stream belongs to: that of its first event, '' for none. Null when there is no such stream. */
  tenantOf(streamId: Uuid): Promise<string | null>;
  /** The last position of a stream; -1 when it does not exist. */
  lastPosition(streamId: Uuid): Promise<number>;
  /** The position of an event in a stream; -1 when the stream does not have it. */
  positionOf(streamId: Uuid, eventId: Uuid): Promise<number>;
  /**
   * The oldest outgoing messages of a lane, in the order they were committed; that is the order of the events where messages are about
   * events of one stream. At most `limit`, and fewer if they are large: a page ends once it has `mostPageBytes`. None while another
   * host delivers the lane. With `after`, those that follow the message with that id; none when that message was removed.
   */
  readOutgoing(lane: OutboxLane, limit: number, after?: Uuid): Promise<readonly StoredOutgoing[]>;
  /** The result under an idempotency key; null: there is none. A result older than `maxAgeMs` is deleted and not returned. */
  findIdempotent(id: string, maxAgeMs: number): Promise<IdempotentResult | null>;
  /** Dead letters in the order of their ids, after one of them; null: from the first. */
  readDeadLetters(after: Uuid | null, limit: number): Promise<readonly DeadLetterRecord[]>;
  findDeadLetter(id: Uuid): Promise<DeadLetterRecord | null>;
  /** How many dead letters have one of these causes, counted up to `most`. */
  countDeadLetters(causes: readonly DeadLetterCause[], most: number): Promise<number>;
  /** Deletes expired records, at most `limit` of each kind, and returns their number. 0 while another host deletes them. */
  forgetExpired(expiry: Expiry, limit: number): Promise<number>;
}

/** The name of a capability. */
export type StorageCapability = keyof StorageCapabilities;
