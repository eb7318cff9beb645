import type { Int, Min, Uuid } from '../../json/index.js';
import { newId, type SystemEvent } from '../../messages/index.js';
import { auditEvent } from '../audit-attribute.js';

const reason = 'Error events are records themselves.';

/** Emitted when a command failed: the command, the caller and the error. Its unit of work was dropped. */
@auditEvent({ exclude: true, reason })
export class ReceptorFailed implements SystemEvent {
  id: Uuid = newId();
  messageId!: Uuid;
  messageType!: string;
  receptorName!: string;
  errorName!: string;
  errorMessage!: string;
  /** The number of the attempt that failed, starting at 1. */
  attempt!: Int;
  /** How many failures of this caller and kind the record represents; the message is the first of them. Absent: one. */
  count?: Int & Min<1>;
  scope?: Record<string, string | null>;
  timestamp!: Date;
}

/** Emitted when a perspective could not apply an event. */
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

/** Emitted when a reaction has failed at an event for the last time: its stream is parked until an operator retries or skips the event. */
@auditEvent({ exclude: true, reason })
export class ReactionFailed implements SystemEvent {
  id: Uuid = newId();
  messageId!: Uuid;
  messageType!: string;
  streamId!: Uuid;
  reactionName!: string;
  errorName!: string;
  errorMessage!: string;
  /** How often the reaction has failed at this event. */
  attempt!: Int;
  scope?: Record<string, string | null>;
  timestamp!: Date;
}

/** Emitted when a message became a dead letter: after its last attempt, or because this host rejected it. */
@auditEvent({ exclude: true, reason })
export class MessageDeadLettered implements SystemEvent {
  id: Uuid = newId();
  messageId!: Uuid;
  messageType!: string;
  /** The destination of the message. */
  destination!: string;
  /** The cause of the dead letter. */
  cause?: string;
  /** The proven sender of an incoming message, or the host that it names; `other` for a host that no declaration names. */
  origin?: string;
  errorName!: string;
  errorMessage!: string;
  attempt!: Int;
  /** How many messages of this origin, cause and type the record represents; the ids are those of the last. Absent: one. */
  count?: Int;
  scope?: Record<string, string | null>;
  timestamp!: Date;
}

/** Emitted when an operator replayed a dead letter, as it was or with another body. */
@auditEvent({ exclude: true, reason })
export class DeadLetterReplayed implements SystemEvent {
  id: Uuid = newId();
  deadLetterId!: Uuid;
  messageId!: Uuid;
  messageType!: string;
  direction!: 'incoming' | 'outgoing' | 'scheduled';
  destination!: string;
  /** The message that replaces it, if the operator edited the body. */
  newMessageId?: Uuid;
  /** The reason that the operator gave. */
  reason?: string;
  /** The operator. */
  scope?: Record<string, string | null>;
  timestamp!: Date;
}

/** Emitted when an operator discarded a dead letter. */
@auditEvent({ exclude: true, reason })
export class DeadLetterDiscarded implements SystemEvent {
  id: Uuid = newId();
  deadLetterId!: Uuid;
  messageId!: Uuid;
  messageType!: string;
  direction!: 'incoming' | 'outgoing' | 'scheduled';
  destination!: string;
  /** The reason that the operator gave. */
  reason?: string;
  /** The operator. */
  scope?: Record<string, string | null>;
  timestamp!: Date;
}
