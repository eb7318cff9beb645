import { ServiceError } from '../errors/index.js';
import { DeadLetterCause, MessageSettledError, type EventLog } from '../storage/index.js';
import type { ToDeadLetters } from './dead-lettering.js';
import { receivedIdOf } from './mapped-id.js';
import { isLasting } from './receiving.js';
import { isRejected, type RejectedLetters } from './rejected-letters.js';
import type { ReceiveMessages, UnprocessableMessage } from './transport.js';

/**
 * Stores messages that can never be processed as dead letters of this host, each in the commit that records it as received. While that fails,
 * the broker delivers them again. Some of the messages that were not admitted are left to the broker.
 */
export function storingDeadLetters(
  receive: ReceiveMessages,
  log: EventLog,
  toDeadLetters: ToDeadLetters,
  rejected: RejectedLetters,
): ReceiveMessages {
  return async (batch) => {
    const unprocessable = await receive(batch);
    for (const { message, cause, attempts = 1 } of unprocessable.filter((one) => !isRejected(one))) {
      const firstFailedAt = Date.now();
      const deadLettered = toDeadLetters([
        { direction: 'incoming', message, cause: causeOf(cause), error: cause, attempts, firstFailedAt },
      ]);
      try {
        await log.commit({ events: [], delivered: null, received: [receivedIdOf(message)], ...deadLettered });
      } catch (error) {
        // It is already a dead letter, but the broker did not receive the acknowledgement.
        if (!(error instanceof MessageSettledError)) throw error;
      }
    }
    return await rejected.store(unprocessable.filter(isRejected));
  };
}

const unreadable: ReadonlySet<string> = new Set([
  'SVC_MALFORMED_JSON',
  'SVC_INVALID_MESSAGE',
  'SVC_UNREADABLE_EVENT',
  'SVC_EVENT_VERSION_UNKNOWN',
  'SVC_UPCAST_FAILED',
]);

function causeOf(error: UnprocessableMessage['cause']): DeadLetterCause {
  if (isLasting(error)) return DeadLetterCause.Refused;
  const isUnreadable = error instanceof ServiceError && unreadable.has(error.code);
  return isUnreadable ? DeadLetterCause.Unreadable : DeadLetterCause.AttemptsExhausted;
}
