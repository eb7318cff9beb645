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
import { metadataErrorOf } from './metadata-flaw.js';
import { asError, mostReceiveAttempts } from './receiving.js';
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
  'SVC_SEALED_INPUT',
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
 * others after several attempts. Those that no dead letter can store are left to the broker. While the storage is unavailable, commands are
 * retried without limit.
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
    // Before admission, which writes the metadata to verify a signature.
    const malformed = metadataErrorOf(message);
    if (malformed !== null) return await leave(message, DeadLetterCause.Unreadable, malformed, malformed);
    const admitted = admission.command(message);
    if (admitted instanceof MessageRejectedError) return await reject(message, admitted);
    const misplaced = await place(message.scope?.['tenantId'] ?? '');
    if (misplaced !== null) return await reject(message, misplaced);
    let command: object;
    try {
      command = await inbox.readReceived(message);
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
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

  /** Counts a message that cannot be stored, and leaves it to the broker. */
  async function leave(
    message: ReceivedMessage,
    deadLetterCause: DeadLetterCause,
    cause: Error,
    failure: Error,
  ): Promise<UnprocessableMessage | null> {
    const { attempts } = failing.of(message.id);
    const [left] = await rejected.store(
      [],
      [{ message, cause, attempts: Math.max(1, attempts), deadLetterCause, failure }],
    );
    settled(message);
    return left ?? null;
  }

  function settled({ id }: ReceivedMessage): null {
    failing.forget([id]);
    return null;
  }

  async function giveUp(
    message: ReceivedMessage,
    cause: DeadLetterCause,
    error: unknown,
  ): Promise<UnprocessableMessage | null> {
    const { attempts, firstFailedAt } = failing.of(message.id);
    const deadLettered = toDeadLetters([{ direction: 'incoming', message, cause, error, attempts, firstFailedAt }]);
    try {
      await log.commit({ events: [], delivered: null, received: [message.id], ...deadLettered });
    } catch (failure) {
      // It is already a dead letter, but the broker did not receive the acknowledgement.
      if (failure instanceof MessageSettledError) return settled(message);
      if (failure instanceof StorageUnavailableError || attempts < mostReceiveAttempts) throw failure;
      return await leave(message, cause, asError(error), asError(failure));
    }
    return settled(message);
  }
}

/** Whether a command that failed would fail again. */
export function isLastingFailure(error: unknown): boolean {
  return error instanceof ForeignStreamError || (error instanceof ServiceError && lastingFailures.has(error.code));
}
