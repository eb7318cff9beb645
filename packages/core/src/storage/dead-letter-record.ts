import type { Uuid } from '../json/index.js';
import type { EventRecord } from './event-record.js';

/** Why a message was put aside. */
export const DeadLetterCause = {
  /** Its body is not what its type declares, or no JSON at all. */
  Unreadable: 'Unreadable',
  /** It is larger than the broker takes. */
  TooLarge: 'TooLarge',
  /** The broker does not take it, the storage has another event of its id, or a receptor rejects it; trying again would not help. */
  Refused: 'Refused',
  /** It is a command for a host that has never opened an inbox. */
  NoInbox: 'NoInbox',
  /** It failed again and again, although others of its kind went through. */
  AttemptsExhausted: 'AttemptsExhausted',
  /** It names a host that this one accepts, and neither the transport nor a signature proves it. */
  UnprovenOrigin: 'UnprovenOrigin',
  /** No declaration of this host accepts it from the host that it names. */
  OriginNotAccepted: 'OriginNotAccepted',
  /** Its type is not that of the topic, the routing key or the inbox it came on. */
  TypeMismatch: 'TypeMismatch',
  /** It is a system event, or is for the system stream, and this host does not take it. */
  SystemMessage: 'SystemMessage',
  /** Its id is from further in the future than clocks may differ: everything that follows from it would be as well. */
  ClockAhead: 'ClockAhead',
  /** It is a command that is older than received messages are known for, or from the future. */
  Expired: 'Expired',
} as const;
export type DeadLetterCause = (typeof DeadLetterCause)[keyof typeof DeadLetterCause];

/** A message that was put aside: it could not be delivered to other hosts, or came from one of them and can never be taken. A command has its own id in the place of its stream's. */
export interface DeadLetterRecord {
  /** Its own; that of the message is inside. Ids ascend with time. */
  readonly id: Uuid;
  readonly direction: 'outgoing' | 'incoming';
  readonly cause: DeadLetterCause;
  /** The topic or the inbox it was for. */
  readonly destination: string;
  /** The host that published it; of an incoming message, the one that it names. */
  readonly origin: string;
  /** The host that the transport had proven to be the sender of an incoming message; null or absent: none. */
  readonly provenOrigin?: string | null;
  /** The type that the broker had routed an incoming message by; null or absent: it routes by the destination alone. */
  readonly routedType?: string | null;
  /** Of an incoming message, verified again when it is replayed. */
  readonly signature?: { readonly keyId: string; readonly value: string } | null;
  readonly message: EventRecord;
  readonly errorName: string;
  readonly errorMessage: string;
  readonly attempts: number;
  /** Milliseconds since 1970, as is `lastFailedAt`. */
  readonly firstFailedAt: number;
  readonly lastFailedAt: number;
}
