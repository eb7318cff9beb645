import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { DeadLetterCause, MessageSettledError, StorageUnavailableError, type EventLog } from '../storage/index.js';
import type { CommandInbox } from './command-inbox.js';
import type { PutAsideMessages } from './dead-lettering.js';
import { mostReceiveAttempts } from './receiving.js';
import type { ReceiveCommand, TransportMessage } from './transport.js';

/** Those that fail are in the hands of a transport, which holds few. What it has lost and others have run is forgotten at this. */
const mostFailing = 1_000;

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
  const failing = new Map<Uuid, { attempts: number; readonly firstFailedAt: number }>();

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
      if (countAttempt(message.id) < mostReceiveAttempts) throw error;
      return await giveUp(message, DeadLetterCause.AttemptsExhausted, error);
    }
    settled(message);
  };

  function settled({ id }: TransportMessage): void {
    failing.delete(id);
  }

  function countAttempt(id: Uuid): number {
    const known = failing.get(id) ?? { attempts: 0, firstFailedAt: Date.now() };
    known.attempts++;
    failing.set(id, known);
    if (failing.size > mostFailing) failing.delete(failing.keys().next().value!);
    return known.attempts;
  }

  async function giveUp(message: TransportMessage, cause: DeadLetterCause, error: unknown): Promise<void> {
    const { attempts, firstFailedAt } = failing.get(message.id) ?? { attempts: 1, firstFailedAt: Date.now() };
    const aside = putAside([{ direction: 'incoming', message, cause, error, attempts, firstFailedAt }]);
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
