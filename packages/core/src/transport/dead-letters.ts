import type { AccessControl } from '../access/index.js';
import { ServiceError } from '../errors/index.js';
import { parseJson, type Uuid } from '../json/index.js';
import { hostOfInbox, newId, tenantOfEvent, type MessageRegistry, type SystemEvent } from '../messages/index.js';
import { currentSecurityContext, scopeOf } from '../security/index.js';
import {
  MessageSettledError,
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

export interface DeadLetterPage {
  /** Those behind this one. Default: from the first. */
  readonly after?: Uuid;
  /** Default: 50, at most 500. */
  readonly limit?: number;
}

const largestPage = 500;

export interface DeadLettersParts {
  readonly log: EventLog;
  readonly messages: MessageRegistry;
  readonly access: AccessControl;
  readonly admission: Pick<Admission, 'event' | 'command'>;
  readonly inbox: CommandInbox;
}

/**
 * The dead letters, for an operator: the actor needs `system:read` to see them and `system:write` to replay or discard them, and sees those of
 * its own tenant. Both are done once, however many do so at once, and are recorded in the system stream.
 */
export class DeadLetters {
  readonly #log: EventLog;
  readonly #messages: MessageRegistry;
  readonly #access: AccessControl;
  readonly #admission: DeadLettersParts['admission'];
  readonly #inbox: CommandInbox;
  /** How often letters were replayed in vain, since the start of the host. */
  readonly #replays = new FailedAttempts();
  readonly #toEvent: ToReceivedEvent;

  constructor({ log, messages, access, admission, inbox }: DeadLettersParts) {
    this.#log = log;
    this.#messages = messages;
    this.#access = access;
    this.#admission = admission;
    this.#inbox = inbox;
    this.#toEvent = receivedEvents(access);
  }

  /** The oldest first. */
  async list({ after, limit = 50 }: DeadLetterPage = {}): Promise<readonly DeadLetterRecord[]> {
    const tenant = await this.#access.authorizeSystemRead();
    const size = Math.min(Math.max(1, limit), largestPage);
    const found: DeadLetterRecord[] = [];
    for (let last = after ?? null; ;) {
      const page = await this.#log.readDeadLetters(last, size);
      found.push(...page.filter((letter) => isOf(tenant, letter)));
      if (page.length < size || found.length >= size) return found.slice(0, size);
      last = page.at(-1)!.id;
    }
  }

  /** Null when there is none of that id, or no longer. */
  async find(id: Uuid): Promise<DeadLetterRecord | null> {
    const tenant = await this.#access.authorizeSystemRead();
    return await this.#find(id, tenant);
  }

  /**
   * Does again what failed. An outgoing message waits in the outbox again. An incoming one has to pass the guard as it is configured now: an
   * event is then stored in its stream, if it can be read by now, behind what its stream has got since; a command is run, and what it throws
   * is thrown here.
   */
  async replay(id: Uuid): Promise<void> {
    const letter = await this.#taken(id);
    const told = this.#told(letter, new DeadLetterReplayed());
    if (letter.direction === 'outgoing') {
      await this.#resolve(id, { events: [], outgoing: [outgoingAgain(letter), told] });
    } else if (hostOfInbox(letter.destination) === null) {
      await this.#replayEvent(letter, told);
    } else {
      await this.#replayCommand(letter, told);
    }
  }

  /** Forgets the message. An outgoing one stays in the event store, where it comes from; an incoming one is gone. */
  async discard(id: Uuid, reason?: string): Promise<void> {
    const discarded = Object.assign(new DeadLetterDiscarded(), reason !== undefined && { reason });
    const told = this.#told(await this.#taken(id), discarded);
    await this.#resolve(id, { events: [], outgoing: [told] });
  }

  async #replayEvent(letter: DeadLetterRecord, told: OutgoingRecord): Promise<void> {
    const message = messageOfLetter(letter);
    const admitted = this.#admission.event(message);
    if (admitted instanceof MessageRejectedError) throw admitted;
    this.#messages.readKept(message.type, parseJson(message.body), message.metadata);
    if (admitted === null) throw ownMessage(letter);
    const event = this.#toEvent(message, admitted);
    await this.#receivedOnce(letter, told, ({ received, ...resolves }) =>
      this.#log.commit({ events: [event], delivered: null, received, ...resolves }),
    );
  }

  async #replayCommand(letter: DeadLetterRecord, told: OutgoingRecord): Promise<void> {
    const message = messageOfLetter(letter);
    const admitted = this.#admission.command(message, letter.firstFailedAt);
    if (admitted instanceof MessageRejectedError) throw admitted;
    const command = this.#inbox.read(message);
    const attempt = letter.attempts + this.#replays.of(letter.id).attempts + 1;
    try {
      await this.#receivedOnce(letter, told, (settles) =>
        this.#inbox.run(command, message, admitted, settles, attempt),
      );
      this.#replays.forget([letter.id]);
    } catch (error) {
      this.#replays.count(letter.id);
      throw error;
    }
  }

  /**
   * Has a message received by what resolves its letter. One that was rejected is not noted as received yet, and may have come again since the
   * guard lets it in: then its letter is all that is left.
   */
  async #receivedOnce(
    { id, cause, message }: DeadLetterRecord,
    told: OutgoingRecord,
    receive: (settles: Settles) => void | Promise<void>,
  ): Promise<void> {
    const received = isRejection(cause) ? [message.id] : [];
    try {
      await this.#once(id, () => receive({ received, resolved: id, outgoing: [told] }));
    } catch (error) {
      if (!(error instanceof MessageSettledError)) throw error;
      await this.#resolve(id, { events: [], outgoing: [told] });
    }
  }

  async #taken(id: Uuid): Promise<DeadLetterRecord> {
    const tenant = await this.#access.authorizeSystemWrite();
    const letter = await this.#find(id, tenant);
    if (letter === null) throw unknown(id);
    return letter;
  }

  async #find(id: Uuid, tenant: string | null): Promise<DeadLetterRecord | null> {
    const letter = await this.#log.findDeadLetter(id);
    return letter !== null && isOf(tenant, letter) ? letter : null;
  }

  #resolve(id: Uuid, { events, outgoing }: Pick<CommitRecord, 'events' | 'outgoing'>): Promise<void> {
    return this.#once(id, () => this.#log.commit({ events, outgoing, delivered: null, received: [], resolved: id }));
  }

  async #once(id: Uuid, resolve: () => void | Promise<void>): Promise<void> {
    try {
      await resolve();
    } catch (error) {
      if (error instanceof MessageSettledError && error.messageId === id) throw unknown(id);
      throw error;
    }
  }

  #told({ id, message, direction, destination }: DeadLetterRecord, event: DeadLetterReplayed | DeadLetterDiscarded) {
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

/** Whether a message was on behalf of a tenant; null: of any. */
function isOf(tenant: string | null, { message }: DeadLetterRecord): boolean {
  return tenant === null || tenantOfEvent(message) === tenant;
}

/** What is committed with a replayed message. */
type Settles = Pick<CommitRecord, 'received' | 'outgoing'> & { readonly resolved: Uuid };

/** With an id of its own in the outbox: the message was there before. */
function outgoingAgain({ destination, message }: DeadLetterRecord): OutgoingRecord {
  const again = { id: newId(), lane: 'transport', destination, note: null } as const;
  if (hostOfInbox(destination) === null) return { ...again, message: null, eventId: message.id };
  const { streamId: _, ...command } = message;
  return { ...again, message: command, eventId: null };
}

function ownMessage({ origin }: DeadLetterRecord): MessageRejectedError {
  return new MessageRejectedError(
    'OriginNotAccepted',
    `The dead letter names ${shown(origin)} as its origin, and that is this host. Discard it.`,
  );
}

function unknown(id: Uuid): ServiceError {
  return new ServiceError(
    'SVC_UNKNOWN_DEAD_LETTER',
    `There is no dead letter ${id}: it was replayed or discarded, or never was. List them to see what there is.`,
  );
}
