import type { Int, Min, Uuid } from '../../json/index.js';
import { newId, type SystemEvent } from '../../messages/index.js';
import { auditEvent } from '../audit-attribute.js';

const reason = 'An error event is a record already.';

/** A command failed: what was attempted, by whom, and how it went wrong. Its unit of work was dropped. */
@auditEvent({ exclude: true, reason })
export class ReceptorFailed implements SystemEvent {
  id: Uuid = newId();
  messageId!: Uuid;
  messageType!: string;
  receptorName!: string;
  errorName!: string;
  errorMessage!: string;
  /** Which attempt to run the command failed, from 1 on. */
  attempt!: Int;
  /** How many failures of this caller and kind the record stands for, of which the message is the first. Absent: one. */
  count?: Int & Min<1>;
  scope?: Record<string, string | null>;
  timestamp!: Date;
}

/** A perspective could not apply an event. */
@auditEvent({ exclude: true, reason })
export class PerspectiveFailed implements SystemEvent {
  id: Uuid = newId();
  messageId!: Uuid;
  messageType!: string;
  perspectiveName!: string;
  errorName!: string;
  errorMessage!: string;
  /** How often the perspective has failed at this event since its tables were last emptied. */
  attempt!: Int;
  scope?: Record<string, string | null>;
  timestamp!: Date;
}

/** A message was given up after its last attempt, or rejected when it came from a broker. */
@auditEvent({ exclude: true, reason })
export class MessageDeadLettered implements SystemEvent {
  id: Uuid = newId();
  messageId!: Uuid;
  messageType!: string;
  /** Where the message was to go. */
  destination!: string;
  /** That of its dead letter. */
  cause?: string;
  /** The proven sender of an incoming message, or the host that it names; `other`: one that no declaration names. */
  origin?: string;
  errorName!: string;
  errorMessage!: string;
  attempt!: Int;
  /** How many messages of this origin, cause and type the record stands for, of which the ids above are those of the last. Absent: one. */
  count?: Int;
  scope?: Record<string, string | null>;
  timestamp!: Date;
}

/** Somebody had a dead letter delivered or received once more. */
@auditEvent({ exclude: true, reason })
export class DeadLetterReplayed implements SystemEvent {
  id: Uuid = newId();
  deadLetterId!: Uuid;
  messageId!: Uuid;
  messageType!: string;
  direction!: 'incoming' | 'outgoing';
  destination!: string;
  /** Who did it. */
  scope?: Record<string, string | null>;
  timestamp!: Date;
}

/** Somebody threw a dead letter away. */
@auditEvent({ exclude: true, reason })
export class DeadLetterDiscarded implements SystemEvent {
  id: Uuid = newId();
  deadLetterId!: Uuid;
  messageId!: Uuid;
  messageType!: string;
  direction!: 'incoming' | 'outgoing';
  destination!: string;
  /** Why, in their words. */
  reason?: string;
  /** Who did it. */
  scope?: Record<string, string | null>;
  timestamp!: Date;
}
