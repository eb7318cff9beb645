import type { Uuid } from '../json/index.js';
import type { EventRecord } from './event-record.js';

/** Why a message was dead-lettered. */
export const DeadLetterCause = {
  /** Its body does not match its type, or is not JSON. */
  Unreadable: 'Unreadable',
  /** It exceeds the largest message of the broker. */
  TooLarge: 'TooLarge',
  /** The broker or a receptor rejects it, or the storage has another event with its id; a retry would not help. */
  Refused: 'Refused',
  /** It is a command for a host that has never opened an inbox. */
  NoInbox: 'NoInbox',
  /** It failed at every attempt, although others of its kind succeeded. */
  AttemptsExhausted: 'AttemptsExhausted',
  /** It names an accepted host as its origin, but neither the transport nor a signature proves it. */
  UnprovenOrigin: 'UnprovenOrigin',
  /** This host does not accept it from the origin that it names. */
  OriginNotAccepted: 'OriginNotAccepted',
  /** Its type is not that of the topic, routing key or inbox on which it arrived. */
  TypeMismatch: 'TypeMismatch',
  /** It is a system event, or is for the system stream, and this host does not accept it. */
  SystemMessage: 'SystemMessage',
  /** Its id is further in the future than clocks may differ; the ids of all its effects would be as well. */
  ClockAhead: 'ClockAhead',
  /** It is a command that is older than the inbox retains ids, or from the future. */
  Expired: 'Expired',
  /** No database of this host holds the data of its tenant. */
  UnknownTenant: 'UnknownTenant',
} as const;
export type DeadLetterCause = (typeof DeadLetterCause)[keyof typeof DeadLetterCause];

/**
 * A message that can never be delivered or processed, with its cause: one between hosts, or a scheduled command. A command has its own id as its
 * stream id.
 */
export interface DeadLetterRecord {
  /** The id of the dead letter, not of its message. Ids ascend with time. */
  readonly id: Uuid;
  readonly direction: 'outgoing' | 'incoming' | 'scheduled';
  readonly cause: DeadLetterCause;
  /** The topic or inbox that it was sent to; of a scheduled command, its key, '' for none. */
  readonly destination: string;
  /** The host that published or ran it; of an incoming message, the origin that it names. */
  readonly origin: string;
  /** The host that the transport has proven to be the sender of an incoming message; null or absent: none. */
  readonly provenOrigin?: string | null;
  /** The type by which the broker routed an incoming message; null or absent: it routes only by destination. */
  readonly routedType?: string | null;
  /** The signature of an incoming message, verified again when it is replayed. */
  readonly signature?: { readonly keyId: string; readonly value: string } | null;
  readonly message: EventRecord;
  readonly errorName: string;
  readonly errorMessage: string;
  readonly attempts: number;
  /** Milliseconds since 1970, as is `lastFailedAt`. */
  readonly firstFailedAt: number;
  readonly lastFailedAt: number;
}
