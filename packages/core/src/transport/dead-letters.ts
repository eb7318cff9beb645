import type { AccessControl } from '../access/index.js';
import { ServiceError } from '../errors/index.js';
import { isRecurringKey } from '../dispatch/index.js';
import { parseJson, type Uuid } from '../json/index.js';
import { hostOfInbox, newId, tenantOfEvent, type MessageRegistry, type SystemEvent } from '../messages/index.js';
import { currentSecurityContext, scopeOf } from '../security/index.js';
import {
  MessageSettledError,
  tenantOfCommand,
  type CommitRecord,
  type DeadLetterRecord,
  type EventLog,
  type OutgoingRecord,
} from '../storage/index.js';
import { DeadLetterDiscarded, DeadLetterReplayed, outgoingSystemEvent } from '../system-events/index.js';
import type { Admission } from './admission.js';
import type { CommandInbox } from './command-inbox.js';
import { messageOfLetter } from './dead-lettering.js';
import { FailedAttempts } from './failed-attempts.js';
import { isRejection, MessageRejectedError } from './message-rejected-error.js';
import { shown } from './origin-proof.js';
import { receivedEvents, type ToReceivedEvent } from './received-event.js';

/** Which dead letters `DeadLetters.list` returns. */
export interface DeadLetterPage {
  /** The id of the last dead letter of the previous page. Default: none, the first page. */
  readonly after?: Uuid;
  /** Default: 50; maximum: 500. */
  readonly limit?: number;
}

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
}

/**
 * Lists, replays and discards dead letters. The actor needs `system:read` to list and `system:write` to change them, and sees those of its
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
  /** Failed replays since the start of the host. */
  readonly #replays = new FailedAttempts();
  readonly #toEvent: ToReceivedEvent;

  constructor({ logOf, logOfTenant, messages, access, admission, inbox, inboxOf }: DeadLettersParts) {
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
  async list({ after, limit = 50 }: DeadLetterPage = {}): Promise<readonly DeadLetterRecord[]> {
    const tenant = await this.#access.authorizeSystemRead();
    const log = await this.#logOf();
    const size = Math.min(Math.max(1, limit), largestPage);
    const found: DeadLetterRecord[] = [];
    for (let last = after ?? null; ;) {
      const page = await log.readDeadLetters(last, size);
      found.push(...page.filter((letter) => isOf(tenant, letter)));
      if (page.length < size || found.length >= size) return found.slice(0, size);
      last = page.at(-1)!.id;
    }
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
  async replay(id: Uuid): Promise<void> {
    const { log, letter } = await this.#authorized(id);
    const replayed = this.#systemEvent(letter, new DeadLetterReplayed());
    if (letter.direction === 'outgoing') {
      await resolve(log, id, [outgoingAgain(letter), replayed]);
    } else if (letter.direction === 'scheduled') {
      await this.#replayScheduled({ log, letter, replayed });
    } else if (hostOfInbox(letter.destination) === null) {
      await this.#replayEvent({ log, letter, replayed });
    } else {
      await this.#replayCommand({ log, letter, replayed });
    }
  }

  /** Deletes a dead letter. An outgoing event is still in the event store; an incoming message is lost. */
  async discard(id: Uuid, reason?: string): Promise<void> {
    const discarded = Object.assign(new DeadLetterDiscarded(), reason !== undefined && { reason });
    const { log, letter } = await this.#authorized(id);
    await resolve(log, id, [this.#systemEvent(letter, discarded)]);
  }

  async #replayEvent(replay: Replay): Promise<void> {
    const { letter } = replay;
    const message = messageOfLetter(letter);
    const admitted = this.#admission.event(message);
    if (admitted instanceof MessageRejectedError) throw admitted;
    this.#messages.readStoredMessage(message.type, parseJson(message.body), message.metadata);
    if (admitted === null) throw ownMessage(letter);
    const event = this.#toEvent(message, admitted);
    const target = await this.#logOfTenant(tenantOfEvent(event));
    await receivedOnce(replay, target, (settles) =>
      target.commit({ events: [event], delivered: null, outgoing: [], ...settles }),
    );
  }

  async #replayCommand(replay: Replay): Promise<void> {
    const { letter } = replay;
    const message = messageOfLetter(letter);
    const admitted = this.#admission.command(message, letter.firstFailedAt);
    if (admitted instanceof MessageRejectedError) throw admitted;
    const command = await this.#inbox.read(message);
    const target = await this.#logOfTenant(message.scope?.['tenantId'] ?? '');
    await this.#attempt(letter, (attempt) =>
      receivedOnce(replay, target, (settles) => this.#inbox.run(command, message, admitted, settles, attempt)),
    );
  }

  /** Runs a scheduled command where it was scheduled, without admission: no other host can send one. */
  async #replayScheduled({ log, letter, replayed }: Replay): Promise<void> {
    const { id, message, destination } = letter;
    const tenant = tenantOfCommand(message);
    if (tenant !== '' && (await this.#logOfTenant(tenant)) !== log) throw elsewhere(tenant);
    const inbox = this.#inboxOf(log);
    const command = await inbox.read(message);
    const settles = { resolved: id, outgoing: [replayed] };
    const isRecurring = isRecurringKey(destination);
    await this.#attempt(letter, (attempt) =>
      once(id, () => inbox.runScheduled(command, message, { settles, attempt, isRecurring })),
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

  /** The dead letter, if the actor may replay or discard it, and the log that has it; throws otherwise. */
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

/** An incoming dead letter that is replayed: the log that has it, and the record of the replay. */
interface Replay {
  readonly log: EventLog;
  readonly letter: DeadLetterRecord;
  readonly replayed: OutgoingRecord;
}

/** What is committed with a replayed message. */
type Settles = Pick<CommitRecord, 'received' | 'resolved'> & Partial<Pick<CommitRecord, 'outgoing'>>;

/**
 * Receives a message and resolves its dead letter in one commit. A rejected message is not recorded as received, and may have arrived again
 * since it is admitted: then only its dead letter is resolved.
 */
async function receivedOnce(
  { log, letter: { id, cause, message }, replayed }: Replay,
  target: EventLog,
  receive: (settles: Settles) => void | Promise<void>,
): Promise<void> {
  const isElsewhere = target !== log;
  const received = isElsewhere || isRejection(cause) ? [message.id] : [];
  try {
    // Another database cannot resolve the letter in its commit. If the second commit fails, the next replay repeats only that.
    await once(id, () => receive(isElsewhere ? { received } : { received, resolved: id, outgoing: [replayed] }));
  } catch (error) {
    if (!(error instanceof MessageSettledError)) throw error;
    return await resolve(log, id, [replayed]);
  }
  if (isElsewhere) await resolve(log, id, [replayed]);
}

async function find(id: Uuid, tenant: string | null, log: EventLog): Promise<DeadLetterRecord | null> {
  const letter = await log.findDeadLetter(id);
  return letter !== null && isOf(tenant, letter) ? letter : null;
}

function resolve(log: EventLog, id: Uuid, outgoing: readonly OutgoingRecord[]): Promise<void> {
  return once(id, () => log.commit({ events: [], outgoing, delivered: null, received: [], resolved: id }));
}

/** Throws if the dead letter was resolved before. */
async function once(id: Uuid, commit: () => void | Promise<void>): Promise<void> {
  try {
    await commit();
  } catch (error) {
    if (error instanceof MessageSettledError && error.messageId === id) throw unknown(id);
    throw error;
  }
}

/** Whether a dead letter belongs to a tenant; null: any tenant. */
function isOf(tenant: string | null, { message }: DeadLetterRecord): boolean {
  return tenant === null || tenantOfEvent(message) === tenant;
}

/** Has a new id in the outbox, which contained the message before. */
function outgoingAgain({ destination, message }: DeadLetterRecord): OutgoingRecord {
  const again = { id: newId(), lane: 'transport', destination, note: null } as const;
  if (hostOfInbox(destination) === null) return { ...again, message: null, eventId: message.id };
  const { streamId: _, ...command } = message;
  return { ...again, message: command, eventId: null };
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

function unknown(id: Uuid): ServiceError {
  return new ServiceError(
    'SVC_UNKNOWN_DEAD_LETTER',
    `There is no dead letter ${id}: it was replayed, discarded, or never existed. List the dead letters to see which exist.`,
  );
}
