import type { MessageRegistry, SystemEvent } from '../messages/index.js';
import { newId } from '../messages/index.js';
import type { DeadLetterCause, DeadLetterRecord, OutgoingRecord } from '../storage/index.js';
import {
  isEnabled,
  MessageDeadLettered,
  outgoingSystemEvent,
  type SystemEventOptions,
} from '../system-events/index.js';
import type { TransportMessage } from './transport.js';

/** A message that is given up. */
export interface GivenUp {
  readonly direction: DeadLetterRecord['direction'];
  readonly message: TransportMessage;
  readonly cause: DeadLetterCause;
  readonly error: unknown;
  readonly attempts: number;
  readonly firstFailedAt: number;
}

/** What the record has that puts messages aside: the dead letters, and the system events that tell of them. */
export interface PutAside {
  readonly deadLetters: readonly DeadLetterRecord[];
  readonly outgoing: readonly OutgoingRecord[];
}

export type PutAsideMessages = (messages: readonly GivenUp[]) => PutAside;

/** An error's text can hold whatever was sent; a record of it need not hold all of that. */
const longestMessage = 2_000;

export function deadLettering(messages: MessageRegistry, options: SystemEventOptions | null): PutAsideMessages {
  return (givenUp) => {
    const deadLetters = givenUp.map(deadLetterOf);
    const events = deadLetters.map(toldOf).filter((event) => options !== null && isEnabled(event, options));
    return { deadLetters, outgoing: events.map((event) => outgoingSystemEvent(event, messages)) };
  };
}

function deadLetterOf({ direction, message, cause, error, attempts, firstFailedAt }: GivenUp): DeadLetterRecord {
  const { destination, origin, ...event } = message;
  const { name, message: text } = error instanceof Error ? error : { name: typeof error, message: String(error) };
  return {
    id: newId(),
    direction,
    cause,
    destination,
    origin,
    message: event,
    errorName: name,
    errorMessage: text.slice(0, longestMessage),
    attempts,
    firstFailedAt,
    lastFailedAt: Date.now(),
  };
}

function toldOf({
  message,
  destination,
  errorName,
  errorMessage,
  attempts,
  lastFailedAt,
}: DeadLetterRecord): SystemEvent {
  return Object.assign(new MessageDeadLettered(), {
    messageId: message.id,
    messageType: message.type,
    destination,
    errorName,
    errorMessage,
    attempt: attempts,
    ...(message.scope !== null && { scope: message.scope }),
    timestamp: new Date(lastFailedAt),
  });
}
