import { recordedError } from '../errors/index.js';
import { newId, type MessageRegistry } from '../messages/index.js';
import type { DeadLetterCause, DeadLetterRecord, MessageRecord, OutgoingRecord } from '../storage/index.js';
import {
  isEnabled,
  MessageDeadLettered,
  outgoingSystemEvent,
  type SystemEventOptions,
} from '../system-events/index.js';
import type { ReceivedMessage, TransportMessage } from './transport.js';

/** A message that becomes a dead letter, and why. */
export type FailedMessage =
  | ({ readonly direction: 'outgoing'; readonly message: TransportMessage } & Failure)
  | ({ readonly direction: 'incoming'; readonly message: ReceivedMessage } & Failure)
  | ({ readonly direction: 'scheduled'; readonly message: ScheduledMessage } & Failure);

/** A scheduled command: its destination is its key, '' for none, and its origin is the host that ran it. */
export type ScheduledMessage = MessageRecord & Pick<TransportMessage, 'destination' | 'origin'>;

interface Failure {
  readonly cause: DeadLetterCause;
  readonly error: unknown;
  readonly attempts: number;
  readonly firstFailedAt: number;
}

/** The part of a commit that dead-letters messages: the dead letters, and the system events that report them. */
export interface DeadLetterChanges {
  readonly deadLetters: readonly DeadLetterRecord[];
  readonly outgoing: readonly OutgoingRecord[];
}

/** Converts messages to dead letters and their system events. */
export type ToDeadLetters = (messages: readonly FailedMessage[]) => DeadLetterChanges;

export function deadLettering(messages: MessageRegistry, options: SystemEventOptions | null): ToDeadLetters {
  return (failed) => {
    const deadLetters = failed.map((one) => deadLetterOf(one, messages));
    const events = deadLetters
      .map(messageDeadLettered)
      .filter((event) => options !== null && isEnabled(event, options));
    return { deadLetters, outgoing: events.map((event) => outgoingSystemEvent(event, messages)) };
  };
}

/** A host of an older version, or a program that is not svc, may have sent a secret or plain personal data: its dead letter has none. */
export function deadLetterOf(failed: FailedMessage, messages: MessageRegistry): DeadLetterRecord {
  const { direction, cause, error, attempts, firstFailedAt } = failed;
  const { id, type, body, timestamp, correlationId, causationId, scope, metadata } = failed.message;
  const streamId = failed.direction === 'scheduled' ? id : failed.message.streamId;
  return {
    id: newId(),
    direction,
    cause,
    destination: failed.message.destination,
    origin: failed.message.origin,
    ...(failed.direction === 'incoming' && arrivalOf(failed.message)),
    message: {
      id,
      type,
      streamId,
      body: messages.bodyOfLetter(type, body),
      timestamp,
      correlationId,
      causationId,
      scope,
      metadata,
    },
    ...recordedError(error),
    attempts,
    firstFailedAt,
    lastFailedAt: Date.now(),
  };
}

export function messageDeadLettered(letter: DeadLetterRecord): MessageDeadLettered {
  const { message, destination, cause, direction, origin, errorName, errorMessage, attempts, lastFailedAt } = letter;
  return Object.assign(new MessageDeadLettered(), {
    messageId: message.id,
    messageType: message.type,
    destination,
    cause,
    ...(direction === 'incoming' && { origin }),
    errorName,
    errorMessage,
    attempt: attempts,
    ...(message.scope !== null && { scope: message.scope }),
    timestamp: new Date(lastFailedAt),
  });
}

/** The message of an incoming dead letter, as it arrived. */
export function messageOfLetter(letter: DeadLetterRecord): ReceivedMessage {
  const { message, destination, origin, provenOrigin = null, routedType = null, signature = null } = letter;
  return { ...message, destination, origin, provenOrigin, routedType, signature };
}

/** What `Admission` needs when the dead letter is replayed. */
function arrivalOf({ provenOrigin, routedType, signature }: ReceivedMessage): Partial<DeadLetterRecord> {
  return { provenOrigin, routedType, signature };
}
