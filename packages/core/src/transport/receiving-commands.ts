import { ServiceError } from '../errors/index.js';
import { DeadLetterCause, MessageSettledError, StorageUnavailableError, type EventLog } from '../storage/index.js';
import type { CommandInbox } from './command-inbox.js';
import type { PutAsideMessages } from './dead-lettering.js';
import { FailedAttempts } from './failed-attempts.js';
import { mostReceiveAttempts } from './receiving.js';
import type { ReceiveCommand, TransportMessage } from './transport.js';

/** Failures of a receptor that the next attempt would have as well. */
const lastingFailures: ReadonlySet<string> = new Set([
  'SVC_COMMAND_REJECTED',
  'SVC_INVALID_MESSAGE',
  'SVC_ACCESS_DENIED',
  'SVC_UNAUTHENTICATED',
]);

/**
 * Runs commands that other hosts have sent, each once in effect. What cannot be read, what this host does not take, and what its receptor
 * rejects become dead letters at once, and what fails again and again after so many attempts; both in the record that notes the
 * command as received. A storage that is away is waited for.
 */
export function receivingCommands(
  inbox: CommandInbox,
  log: EventLog,
  putAside: PutAsideMessages,
  report: (error: unknown) => void,
): ReceiveCommand {
  const failing = new FailedAttempts();

  return async (message) => {
    let command: object;
    try {
      command = inbox.read(message);
    } catch (error) {
      const isForeign = codeOf(error) === 'SVC_COMMAND_NOT_ACCEPTED';
      return await giveUp(message, isForeign ? DeadLetterCause.Refused : DeadLetterCause.Unreadable, error);
    }
    try {
      await inbox.run(command, message, { received: [message.id] });
    } catch (error) {
      // It came before.
      if (error instanceof MessageSettledError) return settled(message);
      if (error instanceof StorageUnavailableError) throw error;
      if (lastingFailures.has(codeOf(error))) return await giveUp(message, DeadLetterCause.Refused, error);
      report(error);
      if (failing.count(message.id) < mostReceiveAttempts) throw error;
      return await giveUp(message, DeadLetterCause.AttemptsExhausted, error);
    }
    settled(message);
  };

  function settled({ id }: TransportMessage): void {
    failing.forget([id]);
  }

  async function giveUp(message: TransportMessage, cause: DeadLetterCause, error: unknown): Promise<void> {
    const { attempts, firstFailedAt } = failing.of(message.id);
    const aside = putAside([
      { direction: 'incoming', message, cause, error, attempts: Math.max(attempts, 1), firstFailedAt },
    ]);
    try {
      await log.commit({ events: [], delivered: null, received: [message.id], ...aside });
    } catch (failure) {
      // It was put aside before, and the broker has not heard of it.
      if (!(failure instanceof MessageSettledError)) throw failure;
    }
    settled(message);
  }
}

function codeOf(error: unknown): string {
  return error instanceof ServiceError ? error.code : '';
}
