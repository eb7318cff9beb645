import type { Uuid } from '../json/index.js';
import type { MessageRecord, OutboxLane } from './storage.js';

/** A message for the outbox: about an event that was appended to the same unit of work, or standing for itself. */
export interface OutgoingMessage {
  readonly id: Uuid;
  readonly lane: OutboxLane;
  readonly destination: string;
  readonly message: MessageRecord | null;
  /** The id of an event of the same unit of work. */
  readonly eventId: Uuid | null;
}

/** Takes messages that leave when, and only when, the unit of work they belong to is kept. */
export interface DeferredOutboxChannel {
  queue(message: OutgoingMessage): void;
}
