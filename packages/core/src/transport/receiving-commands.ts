import { ServiceError } from '../errors/index.js';
import {
  DeadLetterCause,
  ForeignStreamError,
  MessageSettledError,
  StorageUnavailableError,
  type EventLog,
} from '../storage/index.js';
import type { Admission } from './admission.js';
import type { CommandInbox } from './command-inbox.js';
import type { ToDeadLetters } from './dead-lettering.js';
import { FailedAttempts } from './failed-attempts.js';
import { MessageRejectedError } from './message-rejected-error.js';
import { mostReceiveAttempts } from './receiving.js';
import type { PlaceTenant } from './place-tenant.js';
import type { RejectedLetters } from './rejected-letters.js';
import { commandScope } from './received-scope.js';
import type { ReceiveCommand, ReceivedMessage, UnprocessableMessage } from './transport.js';

/** Errors of a receptor that a retry would not fix. */
const lastingFailures: ReadonlySet<string> = new Set([
  'SVC_COMMAND_REJECTED',
  'SVC_INVALID_MESSAGE',
  'SVC_ACCESS_DENIED',
  'SVC_UNAUTHENTICATED',
]);

/** What `receivingCommands` consists of. */
export interface CommandReceiving {
  readonly inbox: CommandInbox;
  readonly admission: Pick<Admission, 'command'>;
  readonly place: PlaceTenant;
  readonly log: EventLog;
  readonly toDeadLetters: ToDeadLetters;
  readonly rejected: RejectedLetters;
  readonly report: (error: unknown) => void;
}

/**
 * Runs commands from other hosts; each takes effect once. Commands that are not admitted, unreadable or rejected become dead letters at once,
 * others after several attempts. While the storage is unavailable, commands are retried without limit.
 */
export function receivingCommands({
  inbox,
  admission,
  place,
  log,
  toDeadLetters,
  rejected,
  report,
}: CommandReceiving): ReceiveCommand {
  const failing = new FailedAttempts();

  return async (message) => {
    const admitted = admission.command(message);
    if (admitted instanceof MessageRejectedError) return await reject(message, admitted);
    const misplaced = await place(message.scope?.['tenantId'] ?? '');
    if (misplaced !== null) return await reject(message, misplaced);
    let command: object;
    try {
      command = await inbox.read(message);
    } catch (error) {
      failing.count(message.id);
      return await giveUp(message, DeadLetterCause.Unreadable, error);
    }
    try {
      const attempt = failing.of(message.id).attempts + 1;
      const scope = commandScope(message.scope, admitted.origin);
      await inbox.run(command, message, scope, { received: [message.id] }, attempt);
    } catch (error) {
      // It was already received.
      if (error instanceof MessageSettledError) return settled(message);
      if (error instanceof StorageUnavailableError) throw error;
      const attempts = failing.count(message.id);
      if (isLastingFailure(error)) return await giveUp(message, DeadLetterCause.Refused, error);
      report(error);
      if (attempts < mostReceiveAttempts) throw error;
      return await giveUp(message, DeadLetterCause.AttemptsExhausted, error);
    }
    return settled(message);
  };

  async function reject(message: ReceivedMessage, cause: MessageRejectedError): Promise<UnprocessableMessage | null> {
    return (await rejected.store([{ message, cause }]))[0] ?? null;
  }

  function settled({ id }: ReceivedMessage): null {
    failing.forget([id]);
    return null;
  }

  async function giveUp(message: ReceivedMessage, cause: DeadLetterCause, error: unknown): Promise<null> {
    const { attempts, firstFailedAt } = failing.of(message.id);
    const deadLettered = toDeadLetters([{ direction: 'incoming', message, cause, error, attempts, firstFailedAt }]);
    try {
      await log.commit({ events: [], delivered: null, received: [message.id], ...deadLettered });
    } catch (failure) {
      // It is already a dead letter, but the broker did not receive the acknowledgement.
      if (!(failure instanceof MessageSettledError)) throw failure;
    }
    return settled(message);
  }
}

/** Whether a command that failed would fail again. */
export function isLastingFailure(error: unknown): boolean {
  return error instanceof ForeignStreamError || (error instanceof ServiceError && lastingFailures.has(error.code));
}
