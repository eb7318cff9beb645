import type { Uuid } from '../json/index.js';
import type { EventRecord } from './storage.js';

/** Why a message was put aside. */
export const DeadLetterCause = {
  /** Its body is not what its type declares, or no JSON at all. */
  Unreadable: 'Unreadable',
  /** It is larger than the broker takes. */
  TooLarge: 'TooLarge',
  /**
   * The broker does not take it, the storage has another event of its id, or this host does not take the command; trying again would
   * not help.
   */
  Refused: 'Refused',
  /** It is a command for a host that has never opened an inbox. */
  NoInbox: 'NoInbox',
  /** It failed again and again, although others of its kind went through. */
  AttemptsExhausted: 'AttemptsExhausted',
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
  /** The host that published it. */
  readonly origin: string;
  readonly message: EventRecord;
  readonly errorName: string;
  readonly errorMessage: string;
  readonly attempts: number;
  /** Milliseconds since 1970, as is `lastFailedAt`. */
  readonly firstFailedAt: number;
  readonly lastFailedAt: number;
}
