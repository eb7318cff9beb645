import type { AccessControl } from '../access/index.js';
import { isRecurringKey } from '../dispatch/index.js';
import { parseJson, type Uuid } from '../json/index.js';
import { newId, tenantOfEvent, type MessageRegistry, type SystemEvent } from '../messages/index.js';
import { currentSecurityContext, scopeOf } from '../security/index.js';
import {
  tenantOfCommand,
  type DeadLetterRecord,
  type EventLog,
  type EventRecord,
  type OutgoingRecord,
  type PendingRecord,
} from '../storage/index.js';
import { DeadLetterDiscarded, DeadLetterReplayed, outgoingSystemEvent } from '../system-events/index.js';
import type { Admission, Admitted } from './admission.js';
import type { CommandInbox } from './command-inbox.js';
import { messageOfLetter } from './dead-lettering.js';
import { editedMessage, isEvent } from './edited-message.js';
import { FailedAttempts } from './failed-attempts.js';
import { receivedIdOf } from './mapped-id.js';
import { matchingDeadLetters, type DeadLetterPage } from './matching-dead-letters.js';
import { MessageRejectedError } from './message-rejected-error.js';
import { metadataErrorOf } from './metadata-flaw.js';
import { shown } from './origin-proof.js';
import { receivedEvents, type ToReceivedEvent } from './received-event.js';
import { commandScope, scheduledScope } from './received-scope.js';
import type { PrepareEvent } from './receiving.js';
import { isEdit, once, receivedOnce, resolve, unknown, type Replay } from './settled-letter.js';
import type { ReceivedMessage } from './transport.js';

const largestPage = 500;

/** What `DeadLetters` consists of. */
export interface DeadLettersParts {
  /** The log of the current actor. */
  readonly logOf: () => EventLog | Promise<EventLog>;
  /** The log for messages of a tenant. Rejects with a `MessageRejectedError` if there is none. */
  readonly logOfTenant: (tenant: string) => EventLog | Promise<EventLog>;
  readonly messages: MessageRegistry;
  readonly access: AccessControl;
  readonly admission: Pick<Admission, 'event' | 'command'>;
  readonly inbox: CommandInbox;
  /** Runs the scheduled commands of the database that has a log. */
  readonly inboxOf: (log: EventLog) => CommandInbox;
  /** How received events are prepared for the database that has a log; null: none has personal data. */
  readonly prepareOf: (log: EventLog) => PrepareEvent | null;
}

/**
 * Lists, replays, edits and discards dead letters. The actor needs `system:read` to list and `system:write` to change them, and sees those of its
 * own tenant. Concurrent calls take effect once, and each is recorded in the system stream.
 */
export class DeadLetters {
  readonly #logOf: DeadLettersParts['logOf'];
  readonly #logOfTenant: DeadLettersParts['logOfTenant'];
  readonly #messages: MessageRegistry;
  readonly #access: AccessControl;
  readonly #admission: DeadLettersParts['admission'];
  readonly #inbox: CommandInbox;
  readonly #inboxOf: DeadLettersParts['inboxOf'];
  readonly #prepareOf: DeadLettersParts['prepareOf'];
  /** Failed replays since the start of the host. */
  readonly #replays = new FailedAttempts();
  readonly #toEvent: ToReceivedEvent;

  constructor({ logOf, logOfTenant, messages, access, admission, inbox, inboxOf, prepareOf }: DeadLettersParts) {
    this.#prepareOf = prepareOf;
    this.#logOf = logOf;
    this.#logOfTenant = logOfTenant;
    this.#messages = messages;
    this.#access = access;
    this.#admission = admission;
    this.#inbox = inbox;
    this.#inboxOf = inboxOf;
    this.#toEvent = receivedEvents(access);
  }

  /** A page of dead letters, the oldest first. */
  async list({ limit = 50, ...page }: DeadLetterPage = {}): Promise<readonly DeadLetterRecord[]> {
    const tenant = await this.#access.authorizeSystemRead();
    const size = Math.min(Math.max(1, limit), largestPage);
    return await matchingDeadLetters(await this.#logOf(), { ...page, limit: size }, (letter) => isOf(tenant, letter));
  }

  /** A dead letter by its id; null if it does not exist, or no longer. */
  async find(id: Uuid): Promise<DeadLetterRecord | null> {
    const tenant = await this.#access.authorizeSystemRead();
    return await find(id, tenant, await this.#logOf());
  }

  /**
   * Retries a dead letter. An outgoing message returns to the outbox. A scheduled command is run. An incoming message must be admitted by the current configuration: an event
   * is then appended to its stream, a command is run, and the error of the command is thrown here.
   */
  async replay(id: Uuid, reason?: string): Promise<void> {
    const { log, letter } = await this.#authorized(id);
    const replayed = Object.assign(new DeadLetterReplayed(), reason !== undefined && { reason });
    await this.#replay({ log, letter, message: letter.message, replayed: this.#systemEvent(letter, replayed) });
  }

  /**
   * Replays a dead letter with another body, as a new message with its own id, whose author is the operator. The replaced message takes no effect any more. What
   * admits a replay admits an edit: an incoming message must come from an accepted host. Resolves with the id of the new message.
   */
  async edit(id: Uuid, body: string, reason: string): Promise<Uuid> {
    const { log, letter } = await this.#authorized(id);
    const message = editedMessage(letter, body, this.#access.actor, this.#messages);
    const edited = Object.assign(new DeadLetterReplayed(), { newMessageId: message.id, reason });
    await this.#replay({ log, letter, message, replayed: this.#systemEvent(letter, edited) });
    return message.id;
  }

  /** Deletes a dead letter. An outgoing event is still in the event store; an incoming message is lost. */
  async discard(id: Uuid, reason?: string): Promise<void> {
    const discarded = Object.assign(new DeadLetterDiscarded(), reason !== undefined && { reason });
    const { log, letter } = await this.#authorized(id);
    await resolve(log, id, [this.#systemEvent(letter, discarded)]);
  }

  async #replay(replay: Replay): Promise<void> {
    const { direction } = replay.letter;
    if (direction === 'outgoing') await this.#sendAgain(replay);
    else if (direction === 'scheduled') await this.#replayScheduled(replay);
    else if (isEvent(replay.letter)) await this.#replayEvent(replay);
    else await this.#replayCommand(replay);
  }

  async #sendAgain(replay: Replay): Promise<void> {
    const { log, letter, message, replayed } = replay;
    await resolve(log, letter.id, [outgoingAgain(letter, await this.#sendable(replay, message)), replayed]);
  }

  /** An edited command is read and written as the service would write it: without secrets, and with encrypted personal values. */
  async #sendable(replay: Replay, message: EventRecord): Promise<EventRecord> {
    if (!isEdit(replay)) return message;
    const command = await this.#inboxOf(replay.log).readReceived(message);
    return { ...message, body: this.#messages.write(command) };
  }

  async #replayEvent(replay: Replay): Promise<void> {
    const { letter, message } = replay;
    const arrived = storableMessage(letter);
    const admitted = this.#admission.event(arrived);
    if (admitted instanceof MessageRejectedError) throw admitted;
    this.#messages.readStoredMessage(message.type, parseJson(message.body), message.metadata);
    if (admitted === null) throw ownMessage(letter);
    const event = this.#eventOf(replay, arrived, admitted);
    const target = await this.#logOfTenant(tenantOfEvent(event));
    const prepared = (await this.#prepareOf(target)?.(event)) ?? event;
    await receivedOnce(replay, target, receivedIdOf(arrived), (settles) =>
      target.commit({ events: [prepared], delivered: null, outgoing: [], ...settles }),
    );
  }

  /** The origin has not written the body of an edited event, so the event has no proven origin. */
  #eventOf(replay: Replay, arrived: ReceivedMessage, admitted: Admitted): PendingRecord {
    if (!isEdit(replay)) return this.#toEvent(arrived, admitted);
    const { message } = replay;
    return { ...this.#toEvent({ ...arrived, ...message }, { origin: null }), scope: message.scope };
  }

  async #replayCommand(replay: Replay): Promise<void> {
    const { letter, message } = replay;
    const arrived = storableMessage(letter);
    const admitted = this.#admission.command(arrived, letter.firstFailedAt);
    if (admitted instanceof MessageRejectedError) throw admitted;
    const command = await this.#inbox.readReceived(message);
    const target = await this.#logOfTenant(message.scope?.['tenantId'] ?? '');
    const scope = isEdit(replay) ? message.scope! : commandScope(message.scope, admitted.origin);
    await this.#attempt(letter, (attempt) =>
      receivedOnce(replay, target, arrived.id, (settles) => this.#inbox.run(command, message, scope, settles, attempt)),
    );
  }

  /** Runs a scheduled command where it was scheduled, without admission: no other host can send one. */
  async #replayScheduled(replay: Replay): Promise<void> {
    const { log, letter, message, replayed } = replay;
    const { id, destination } = letter;
    const tenant = tenantOfCommand(message);
    if (tenant !== '' && (await this.#logOfTenant(tenant)) !== log) throw elsewhere(tenant);
    const inbox = this.#inboxOf(log);
    const command = await (isEdit(replay) ? inbox.readReceived(message) : inbox.read(message));
    const settles = { resolved: id, outgoing: [replayed] };
    const own = isEdit(replay) ? message.scope : scheduledScope(message.scope);
    const scope = isRecurringKey(destination) ? null : own;
    await this.#attempt(letter, (attempt) =>
      once(id, () => inbox.runScheduled(command, message, { settles, attempt, scope })),
    );
  }

  /** Counts the failed replays of a command. */
  async #attempt({ id, attempts }: DeadLetterRecord, run: (attempt: number) => Promise<void>): Promise<void> {
    try {
      await run(attempts + this.#replays.of(id).attempts + 1);
      this.#replays.forget([id]);
    } catch (error) {
      this.#replays.count(id);
      throw error;
    }
  }

  /** The dead letter, if the actor may change it, and the log that has it; throws otherwise. */
  async #authorized(id: Uuid): Promise<{ readonly log: EventLog; readonly letter: DeadLetterRecord }> {
    const tenant = await this.#access.authorizeSystemWrite();
    const log = await this.#logOf();
    const letter = await find(id, tenant, log);
    if (letter === null) throw unknown(id);
    return { log, letter };
  }

  #systemEvent(
    { id, message, direction, destination }: DeadLetterRecord,
    event: DeadLetterReplayed | DeadLetterDiscarded,
  ): OutgoingRecord {
    const scope = scopeOf(currentSecurityContext());
    const filled: SystemEvent = Object.assign(event, {
      deadLetterId: id,
      messageId: message.id,
      messageType: message.type,
      direction,
      destination,
      ...(scope !== null && { scope }),
      timestamp: new Date(),
    });
    return outgoingSystemEvent(filled, this.#messages);
  }
}

async function find(id: Uuid, tenant: string | null, log: EventLog): Promise<DeadLetterRecord | null> {
  const letter = await log.findDeadLetter(id);
  return letter !== null && isOf(tenant, letter) ? letter : null;
}

/** Whether a dead letter belongs to a tenant; null: any tenant. */
function isOf(tenant: string | null, { message }: DeadLetterRecord): boolean {
  return tenant === null || tenantOfEvent(message) === tenant;
}

/** Has a new id in the outbox, which contained the message before. */
function outgoingAgain(letter: DeadLetterRecord, message: EventRecord): OutgoingRecord {
  const again = { id: newId(), lane: 'transport', destination: letter.destination, note: null } as const;
  if (isEvent(letter)) return { ...again, message: null, eventId: message.id };
  const { streamId: _, ...command } = message;
  return { ...again, message: command, eventId: null };
}

/** The message as it arrived. An earlier version of svc stored dead letters with metadata that it rejects today. */
function storableMessage(letter: DeadLetterRecord): ReceivedMessage {
  const message = messageOfLetter(letter);
  const error = metadataErrorOf(message);
  if (error !== null) throw error;
  return message;
}

function elsewhere(tenant: string): MessageRejectedError {
  return new MessageRejectedError(
    'UnknownTenant',
    `Cannot replay the dead letter: the data of the tenant ${shown(tenant)} are in another database now. Discard it.`,
  );
}

function ownMessage({ origin }: DeadLetterRecord): MessageRejectedError {
  return new MessageRejectedError(
    'OriginNotAccepted',
    `Cannot replay the dead letter: its origin ${shown(origin)} is this host. Discard it.`,
  );
}
