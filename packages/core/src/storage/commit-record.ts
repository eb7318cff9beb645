import type { Uuid } from '../json/index.js';
import type { DeadLetterRecord } from './dead-letter-record.js';
import type { PendingRecord } from './event-record.js';
import type { IdempotencyRecord } from './idempotency-record.js';
import type { OutboxLane, OutgoingRecord } from './outgoing-record.js';
import type { ProcessStep } from './process-record.js';
import type { ReactedEvent } from './reaction-record.js';
import type { ScheduleChanges } from './scheduled-record.js';

/** Outgoing messages to remove from the outbox because they were delivered. */
export interface Delivered {
  readonly lane: OutboxLane;
  readonly ids: readonly Uuid[];
}

/** Everything that one unit of work changes: a storage commits all of it or nothing. */
export interface CommitRecord {
  readonly events: readonly PendingRecord[];
  readonly outgoing: readonly OutgoingRecord[];
  /**
   * Whether a storage that can may append messages for the system stream in this commit, instead of putting them into the outbox. Default: false,
   * because a part of this process must see them when they are appended.
   */
  readonly systemAtOnce?: boolean;
  /** If one of them is no longer in the outbox, another host has delivered it, and nothing is committed. */
  readonly delivered: Delivered | null;
  /** The ids of messages from other hosts. If one of them was received before, nothing is committed. */
  readonly received: readonly Uuid[];
  /** The result under its idempotency key. If the key already has a result, nothing is committed. */
  readonly idempotency?: IdempotencyRecord;
  /** Messages to dead-letter. */
  readonly deadLetters?: readonly DeadLetterRecord[];
  /** A dead letter to remove. If it no longer exists, nothing is committed. */
  readonly resolved?: Uuid;
  /** Changes of the scheduled commands. Needs the capability `schedule`. */
  readonly schedules?: ScheduleChanges;
  /** The event that a reaction has processed. If it was processed before, or another term has begun, nothing is committed. */
  readonly reacted?: ReactedEvent;
  /** The event that an instance of a process has received. Needs the capability `processes`. */
  readonly step?: ProcessStep;
}
