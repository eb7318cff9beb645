import type { AccessControl } from '../access/index.js';
import { ServiceError } from '../errors/index.js';
import { parseJson, type Uuid } from '../json/index.js';
import { newId, type MessageRegistry, type SystemEvent } from '../messages/index.js';
import { currentSecurityContext, scopeOf } from '../security/index.js';
import { MessageSettledError, type CommitRecord, type DeadLetterRecord, type EventLog } from '../storage/index.js';
import { DeadLetterDiscarded, DeadLetterReplayed, outgoingSystemEvent } from '../system-events/index.js';
import { toReceivedEvent } from './receiving.js';

export interface DeadLetterPage {
  /** Those behind this one. Default: from the first. */
  readonly after?: Uuid;
  /** Default: 50, at most 500. */
  readonly limit?: number;
}

const largestPage = 500;

/**
 * The messages that were put aside, for an operator: whoever acts needs `system:read` to see them and `system:write` to replay or discard
 * them. Both are done once, however many do so at once, and told of in the system stream.
 */
export class DeadLetters {
  readonly #log: EventLog;
  readonly #messages: MessageRegistry;
  readonly #access: AccessControl;

  constructor(log: EventLog, messages: MessageRegistry, access: AccessControl) {
    this.#log = log;
    this.#messages = messages;
    this.#access = access;
  }

  /** The oldest first. */
  async list({ after, limit = 50 }: DeadLetterPage = {}): Promise<readonly DeadLetterRecord[]> {
    await this.#access.authorizeSystemRead();
    return await this.#log.readDeadLetters(after ?? null, Math.min(Math.max(1, limit), largestPage));
  }

  /** Null when there is none of that id, or no longer. */
  async find(id: Uuid): Promise<DeadLetterRecord | null> {
    await this.#access.authorizeSystemRead();
    return await this.#log.findDeadLetter(id);
  }

  /**
   * Does again what failed. An outgoing message waits in the outbox once more; an incoming one is kept in its stream, if it can be read by
   * now. Either stands behind what its stream has got meanwhile.
   */
  async replay(id: Uuid): Promise<void> {
    const letter = await this.#taken(id);
    const { direction, destination, origin, message } = letter;
    const told = this.#told(letter, new DeadLetterReplayed());
    if (direction === 'outgoing') {
      // With an id of its own in the outbox: the message was there before.
      const again = {
        id: newId(),
        lane: 'transport',
        destination,
        message: null,
        note: null,
        eventId: message.id,
      } as const;
      await this.#resolve(id, { events: [], outgoing: [again, told] });
    } else {
      this.#messages.readKept(message.type, parseJson(message.body), message.metadata);
      const event = toReceivedEvent({ ...message, destination, origin });
      await this.#resolve(id, { events: [event], outgoing: [told] });
    }
  }

  /** Forgets the message. An outgoing one stays in the event store, where it comes from; an incoming one is gone. */
  async discard(id: Uuid, reason?: string): Promise<void> {
    const discarded = Object.assign(new DeadLetterDiscarded(), reason !== undefined && { reason });
    const told = this.#told(await this.#taken(id), discarded);
    await this.#resolve(id, { events: [], outgoing: [told] });
  }

  async #taken(id: Uuid): Promise<DeadLetterRecord> {
    await this.#access.authorizeSystemWrite();
    const letter = await this.#log.findDeadLetter(id);
    if (letter === null) throw unknown(id);
    return letter;
  }

  async #resolve(id: Uuid, { events, outgoing }: Pick<CommitRecord, 'events' | 'outgoing'>): Promise<void> {
    try {
      await this.#log.commit({ events, outgoing, delivered: null, received: [], resolved: id });
    } catch (error) {
      if (error instanceof MessageSettledError) throw unknown(id);
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

function unknown(id: Uuid): ServiceError {
  return new ServiceError(
    'SVC_UNKNOWN_DEAD_LETTER',
    `There is no dead letter ${id}: it was replayed or discarded, or never was. List them to see what there is.`,
  );
}
