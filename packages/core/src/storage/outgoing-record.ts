import type { Uuid } from '../json/index.js';
import type { MessageRecord, StoredRecord } from './event-record.js';

/** Where outgoing messages wait: for the system stream, or for the transport. */
export type OutboxLane = 'system' | 'transport';

/**
 * A message to put into the outbox. A message about an event of the same commit record names the event instead of repeating it:
 * the outbox returns it with the stored event.
 */
export interface OutgoingRecord {
  readonly id: Uuid;
  readonly lane: OutboxLane;
  readonly destination: string;
  /** The message; null when it is the event itself, or is built from the event and the note. */
  readonly message: MessageRecord | null;
  /** What the message adds to the event, as JSON. */
  readonly note: string | null;
  /** The id of one of the events of the same commit record; of any stored event when the record has none. */
  readonly eventId: Uuid | null;
}

/** A message in the outbox. */
export interface StoredOutgoing {
  readonly id: Uuid;
  readonly lane: OutboxLane;
  readonly destination: string;
  readonly message: MessageRecord | null;
  readonly note: string | null;
  readonly event: StoredRecord | null;
}
