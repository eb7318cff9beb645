import type { OutgoingRecord } from '../outgoing-record.js';

/** Queues messages that are delivered if, and only if, their unit of work is committed. */
export interface DeferredOutboxChannel {
  /** Queue a message about an event after the event was appended in the same unit of work. */
  queue(message: OutgoingRecord): void;
}
