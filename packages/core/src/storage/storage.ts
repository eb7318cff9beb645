import type { Uuid } from '../json/index.js';
import type { EnvelopeScope } from '../messages/index.js';
import type { DeadLetterCause, DeadLetterRecord } from './dead-letter-record.js';
import type { Expiry } from './expiry.js';
import type { IdempotencyRecord } from './idempotency-record.js';
import type { EventPlace, LogPlace } from './log-place.js';
import type { OperationStorage } from './operation-storage.js';
import type { PerspectiveStanding } from './perspective-standing.js';
import type { PerspectiveStorage } from './models/perspective-storage.js';
import type { ReadingStall } from './reading-stall.js';

/** A message as a database keeps it: its body as JSON text, everything else beside it. */
export interface MessageRecord {
  readonly id: Uuid;
  readonly type: string;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly correlationId: Uuid;
  readonly causationId: Uuid | null;
  readonly scope: EnvelopeScope | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface EventRecord extends MessageRecord {
  readonly streamId: Uuid;
}

/** An event on its way into a database. */
export interface PendingRecord extends EventRecord {
  /** The position the stream must have reached (-1: it must not exist yet); undefined: any. */
  readonly expectedPosition: number | undefined;
  /** Whether the stream, when it exists, must belong to the tenant of this event. Default: false. */
  readonly sameTenant?: boolean;
}

/**
 * An event that is kept: `position` counts from 0 within its stream, without gaps. `sequence` is its own over all streams and
 * names its place in the order of `readAll`; numbers may be missing, and where several write at once they need not ascend.
 */
export interface StoredRecord extends EventRecord, LogPlace {
  readonly position: number;
}

/** The same as it is read where many are: its body parsed, for whoever reads it, and that once. */
export interface ParsedRecord extends Omit<StoredRecord, 'body'> {
  readonly content: unknown;
}

/** What was read of the log at once: the events of some types, and the place up to which everything was looked at. */
export interface ReplayPage {
  readonly records: readonly (StoredRecord | ParsedRecord)[];
  readonly upTo: LogPlace;
}

/** Where outgoing messages wait: for the system stream, or for the transport. */
export type OutboxLane = 'system' | 'transport';

/**
 * A message that leaves a unit of work. One that is about an event of the same unit names the event instead of repeating it: what is
 * read from the outbox has the event beside it, in the position it was given.
 */
export interface OutgoingRecord {
  readonly id: Uuid;
  readonly lane: OutboxLane;
  readonly destination: string;
  /** The message; null when it is the event itself, or is put together of the event and the note. */
  readonly message: MessageRecord | null;
  /** What there is to say beside the event, as JSON. */
  readonly note: string | null;
  /** The id of one of the events of the same commit record; of any event when the record has none. */
  readonly eventId: Uuid | null;
}

/** An outgoing message that is kept. */
export interface StoredOutgoing {
  readonly id: Uuid;
  readonly lane: OutboxLane;
  readonly destination: string;
  readonly message: MessageRecord | null;
  readonly note: string | null;
  readonly event: StoredRecord | null;
}

/** Outgoing messages that are done with. */
export interface Delivered {
  readonly lane: OutboxLane;
  readonly ids: readonly Uuid[];
}

/** Everything one unit of work changes: kept whole or not at all. */
export interface CommitRecord {
  readonly events: readonly PendingRecord[];
  readonly outgoing: readonly OutgoingRecord[];
  /** When one of them is gone already, nothing is kept: somebody else has delivered it. */
  readonly delivered: Delivered | null;
  /** Messages that came from elsewhere. When one of them came before, nothing is kept. */
  readonly received: readonly Uuid[];
  /** The result under its idempotency key, when there is one. When another is kept under it already, nothing is kept. */
  readonly idempotency?: IdempotencyRecord;
  /** Messages that are put aside with it. */
  readonly deadLetters?: readonly DeadLetterRecord[];
  /** A dead letter that is done with. When it is gone already, nothing is kept. */
  readonly resolved?: Uuid;
}

/** What a database implements. */
export interface Storage {
  /** Where perspectives are kept; absent: this storage keeps none, and their models are made anew in memory at each start. */
  readonly perspectives?: PerspectiveStorage;
  /** Where operators' requests wait. Absent: nobody but this process can reach what is kept, and so nobody can ask. */
  readonly operations?: OperationStorage;
  /**
   * Connects and creates what is missing. The service calls it when it starts; everything else may be called before it has
   * resolved, and waits for it. Absent: there is nothing to open.
   */
  open?(): Promise<void>;
  /**
   * Commits a record. Or commits nothing of it, and throws a `ForeignStreamError`, a `ConcurrencyConflictError`, a `MessageSettledError`,
   * a `DuplicateEventError`, an `IdempotencyKeyInUseError`, a `StorageUnavailableError` or a `StorageDamagedError`. A record that is kept already, known by the ids of its events and
   * messages, is not kept twice: committing it again succeeds and changes nothing. A storage inside the process, whose answers cannot
   * get lost, need not look, nor promise. A signal that aborts before the storage has begun to commit gives the record up: nothing of it is
   * committed, and the reason of the signal is thrown. One that aborts later changes nothing.
   */
  commit(record: CommitRecord, signal?: AbortSignal): void | Promise<void>;
  /** The events of a stream in order, from a position on. */
  readStream(streamId: Uuid, fromPosition?: number): AsyncIterable<StoredRecord>;
  /** Those events of a stream that stand at some positions, which ascend. */
  readPositions(streamId: Uuid, positions: readonly number[]): AsyncIterable<StoredRecord>;
  /**
   * All events in an order that never changes and that keeps the order of each stream and of each record; from behind the event
   * with that sequence number on, -1 for all. No event ever appears in front of one that was read.
   */
  readAll(afterSequence?: number): AsyncIterable<StoredRecord>;
  /**
   * The same, many at once: in pages of so many events at most, fewer where those are large, and none of them empty. Absent: `readAll` is
   * as fast, and what it reads is in this memory already.
   */
  readPages?(afterSequence: number, pageSize: number): AsyncIterable<readonly StoredRecord[]>;
  /**
   * The same for whoever takes events of some types alone: they are picked out of so many events at most, and fewer where those are large.
   * Absent: they are picked out of `readPages`.
   */
  readReplayPages?(afterSequence: number, pageSize: number, types: readonly string[]): AsyncIterable<ReplayPage>;
  /** How many events of some types there are up to a place. Absent: they are counted by reading them. */
  countEvents?(types: readonly string[], upTo: LogPlace): Promise<number>;
  /** Where each stream has its last event of some types, in the order of `readAll`. Absent: they are found by reading all events. */
  readStreamEnds?(types: readonly string[]): Promise<readonly LogPlace[]>;
  /** The event with an id; null when there is none. However long its stream is, this costs the same. */
  findEvent(eventId: Uuid): Promise<StoredRecord | null>;
  /** The place of the event with an id, and whose it is; null when there is none. */
  findPlace(eventId: Uuid): Promise<EventPlace | null>;
  /** The tenant that a stream belongs to: that of its first event, '' for none. Null when there is no such stream. */
  tenantOf(streamId: Uuid): Promise<string | null>;
  /** The place of the event with a sequence number. Absent: sequence numbers ascend, and say it all. */
  placeAt?(sequence: number): Promise<LogPlace>;
  /** The last position of a stream; -1 when it does not exist. */
  lastPosition(streamId: Uuid): Promise<number>;
  /** Where an event stands in a stream; -1 when it is not there. */
  positionOf(streamId: Uuid, eventId: Uuid): Promise<number>;
  /**
   * The oldest outgoing messages of a lane, in the order they were kept; that is the order of the events where messages are about
   * events of one stream. `limit` at most, and fewer where they are large: a page ends once it has `mostPageBytes`. None while another
   * host delivers the lane. With `after`, those behind the message with that id; none when it is gone.
   */
  readOutgoing(lane: OutboxLane, limit: number, after?: Uuid): Promise<readonly StoredOutgoing[]>;
  /**
   * Appends the oldest messages that wait for the system stream to it, in their order and `limit` at most, and takes them out of the
   * outbox, as one record that never leaves the database. Says how many there were of each type: none while another host delivers
   * the lane. Absent: they are read, put together and committed.
   */
  deliverSystemEvents?(limit: number): Promise<ReadonlyMap<string, number>>;
  /** What is kept under an idempotency key; null when nothing is, or when it is older than that, and then it is forgotten. */
  findIdempotent(id: string, maxAgeMs: number): Promise<IdempotencyRecord | null>;
  /** Dead letters in the order of their ids, behind one of them; null: from the first. */
  readDeadLetters(after: Uuid | null, limit: number): Promise<readonly DeadLetterRecord[]>;
  findDeadLetter(id: Uuid): Promise<DeadLetterRecord | null>;
  /** How many dead letters have one of these causes, counted up to `most`. Absent: they are counted by reading them. */
  countDeadLetters?(causes: readonly DeadLetterCause[], most: number): Promise<number>;
  /**
   * Forgets some of what has expired, `limit` of each kind at most, and says how much it was. Nothing while another host does so. Absent:
   * nothing expires here.
   */
  forgetExpired?(expiry: Expiry, limit: number): Promise<number>;
  /** Asks over a connection that is there already, and opens none; rejects when the database does not answer. Absent: there is nobody to ask. */
  ping?(): Promise<void>;
  /** The clock of the database, in milliseconds since 1970. Asks as `ping` does. Absent: it has none but that of this host. */
  readClock?(): Promise<number>;
  /**
   * How far perspectives are behind, counting up to `limit` events. Asks as `ping` does; it is asked often, and costs little. Absent:
   * nobody can tell.
   */
  readStandings?(perspectives: readonly string[], limit: number): Promise<readonly PerspectiveStanding[]>;
  /** Who holds back the reading of all events at the moment; null when nobody does. Asks as `ping` does. Absent: nobody ever does. */
  readingStall?(): Promise<ReadingStall | null>;
  /**
   * Whether this host is the one that does what one host at a time does, under a name. It stays so until it has not asked for a while,
   * as when it is gone, or closes the storage. Absent: whoever asks is.
   */
  hold?(lane: string): Promise<boolean>;
  /** Tells whoever holds a lane, when it is another host, that there is something to do; its `onOutgoing` is called. Nobody waits for it. */
  tellHolder?(lane: string): void;
  /** Calls `listener` when there may be something in the outbox that this process has not put there itself. */
  onOutgoing?(listener: () => void): void;
  /** Gives everything back once what is under way has ended. What is asked for later is refused. */
  close?(): Promise<void>;
}
