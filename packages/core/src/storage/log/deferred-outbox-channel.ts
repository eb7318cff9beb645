import type { OutgoingRecord } from '../outgoing-record.js';

/** Takes messages that leave when, and only when, the unit of work they belong to is kept. */
export interface DeferredOutboxChannel {
  /** A message about an event is queued after the event was appended to the same unit of work. */
  queue(message: OutgoingRecord): void;
}
