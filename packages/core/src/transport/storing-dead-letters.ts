import { DeadLetterCause, MessageSettledError, StorageUnavailableError, type EventLog } from '../storage/index.js';
import { isContentFlaw } from './content-flaw.js';
import type { ToDeadLetters } from './dead-lettering.js';
import { FailedAttempts } from './failed-attempts.js';
import { isMalformed } from './malformed-cloud-event.js';
import { receivedIdOf } from './mapped-id.js';
import { asError, isLasting, mostReceiveAttempts } from './receiving.js';
import { isRejected, type RejectedLetters, type Unstorable } from './rejected-letters.js';
import type { ReceivedMessage, ReceiveMessages, UnprocessableMessage } from './transport.js';

/**
 * Stores messages that can never be processed as dead letters of this host, each in the commit that records it as received. While that fails,
 * the broker delivers them again. A message that the available storage has rejected in every attempt, also as a dead letter, is left to the
 * broker: it must not block those after it. So are some of the messages that were not admitted.
 */
export function storingDeadLetters(
  receive: ReceiveMessages,
  log: EventLog,
  toDeadLetters: ToDeadLetters,
  rejected: RejectedLetters,
): ReceiveMessages {
  const failing = new FailedAttempts();

  /** Resolves with null, or with the error why the dead letter cannot be stored although the storage is available. */
  async function store({ message, cause, attempts = 1 }: UnprocessableMessage): Promise<Error | null> {
    const firstFailedAt = Date.now();
    try {
      const deadLettered = toDeadLetters([
        { direction: 'incoming', message, cause: causeOf(cause), error: cause, attempts, firstFailedAt },
      ]);
      await log.commit({ events: [], delivered: null, received: [receivedIdOf(message)], ...deadLettered });
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      // If it is settled, it is already a dead letter, but the broker did not receive the acknowledgement.
      return error instanceof MessageSettledError ? null : asError(error);
    }
    return null;
  }

  /** Counts a failure. The attempts to store the event count too, and those of an earlier one of its stream, which it has failed with. */
  function attemptsAt(message: ReceivedMessage, unprocessable: readonly UnprocessableMessage[]): number {
    const ofStream = unprocessable.filter((one) => one.message.streamId === message.streamId);
    return failing.count(receivedIdOf(message)) + Math.max(...ofStream.map(({ attempts = 1 }) => attempts));
  }

  return async (batch) => {
    const unprocessable = await receive(batch);
    const unstorable: Unstorable[] = [];
    const retried: Error[] = [];
    for (const one of unprocessable) {
      if (isRejected(one)) continue;
      const { message, cause } = one;
      const isAlwaysUnstorable = isMalformed(cause);
      const failure = isAlwaysUnstorable ? cause : await store(one);
      if (failure === null) continue;
      const isTriedAgain = !isAlwaysUnstorable && attemptsAt(message, unprocessable) <= mostReceiveAttempts;
      if (isTriedAgain) retried.push(failure);
      else unstorable.push({ ...one, deadLetterCause: causeOf(cause), failure });
    }
    // The whole batch is delivered again. What is stored is recognized then.
    if (retried.length > 0) throw retried[0]!;
    const left = await rejected.store(unprocessable.filter(isRejected), unstorable);
    failing.forget(unprocessable.map(({ message }) => receivedIdOf(message)));
    return left;
  };
}

function causeOf(error: UnprocessableMessage['cause']): DeadLetterCause {
  if (isLasting(error)) return DeadLetterCause.Refused;
  return isContentFlaw(error) ? DeadLetterCause.Unreadable : DeadLetterCause.AttemptsExhausted;
}
