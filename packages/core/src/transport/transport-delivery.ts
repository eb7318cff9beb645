import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { withoutPermissions } from '../security/index.js';
import { DeadLetterCause, type EventLog, type StoredOutgoing } from '../storage/index.js';
import type { ClosedDestinations } from './closed-destinations.js';
import type { FailedMessage, ToDeadLetters } from './dead-lettering.js';
import { FailedAttempts } from './failed-attempts.js';
import { MessageUndeliverableError } from './message-undeliverable-error.js';
import type { Transport, TransportMessage } from './transport.js';
import type { PublishPage } from './transport-worker.js';

/** How often messages are tried together before they are tried one by one: most failures are temporary. */
const mostTogether = 3;

/** How often a message is tried if the broker is available; with the delays this takes half a minute. */
const mostAttempts = 10;

/** What `transportDelivery` consists of. */
export interface TransportDeliveryParts {
  readonly log: EventLog;
  readonly transport: Pick<Transport, 'publish'>;
  /** The origin of the messages of this host. */
  readonly origin: string;
  readonly toDeadLetters: ToDeadLetters;
  readonly closed: ClosedDestinations;
}

/**
 * Publishes the messages in the outbox at least once; receivers detect repetitions by their ids.
 *
 * Messages that the transport rejects become dead letters. If messages cannot be published together for another reason, they are published
 * one by one: a message that fails holds back only later messages of its stream, and becomes a dead letter after several attempts. While the
 * broker is unavailable, all messages wait; while a destination is closed, only its own (decision 0082).
 */
export function transportDelivery(parts: TransportDeliveryParts): PublishPage {
  const delivery = new TransportDelivery(parts);
  return (page) => delivery.publish(page);
}

class TransportDelivery {
  readonly #parts: TransportDeliveryParts;
  readonly #failing = new FailedAttempts();
  #failuresTogether = 0;

  constructor(parts: TransportDeliveryParts) {
    this.#parts = parts;
  }

  /** Resolves with the messages that stay in the outbox because their destination is closed. */
  async publish(page: readonly StoredOutgoing[]): Promise<Set<StoredOutgoing>> {
    const { closed } = this.#parts;
    const left = new Set<StoredOutgoing>();
    let together: StoredOutgoing[] = [];
    for (const outgoing of page) {
      const message = this.#message(outgoing);
      if (closed.holdsBack(message)) {
        left.add(outgoing);
      } else if (closed.isUntried(message)) {
        // Published alone, after the messages before it: a failure must not fail others.
        await this.#publishTogether(together, left);
        together = [];
        await this.#publishOneByOne([outgoing], this.#publishOne, left);
      } else {
        together.push(outgoing);
      }
    }
    await this.#publishTogether(together, left);
    return left;
  }

  async #publishTogether(waiting: readonly StoredOutgoing[], left: Set<StoredOutgoing>): Promise<void> {
    if (waiting.length === 0) return;
    try {
      await this.#parts.transport.publish(waiting.map((outgoing) => this.#message(outgoing)));
    } catch (error) {
      if (isOutage(error)) throw error;
      return await this.#publishFailed(waiting, error, left);
    }
    this.#failuresTogether = 0;
    await this.#settle(waiting, []);
  }

  /** What becomes of messages that could not be published together. */
  async #publishFailed(waiting: readonly StoredOutgoing[], error: unknown, left: Set<StoredOutgoing>): Promise<void> {
    const undeliverable = this.#undeliverableOf(waiting, error);
    if (undeliverable.length > 0) {
      const named = new Set(undeliverable.map(({ outgoing }) => outgoing));
      await this.#settle([], undeliverable);
      const others = waiting.filter((outgoing) => !named.has(outgoing));
      return await this.#publishTogether(others, left);
    }
    const isFirst = ++this.#failuresTogether < mostTogether;
    if (isFirst && waiting.length > 1) throw error;
    // A single message has just been tried.
    await this.#publishOneByOne(waiting, waiting.length === 1 ? () => Promise.reject(error) : this.#publishOne, left);
  }

  /** The messages that the transport names. */
  #undeliverableOf(waiting: readonly StoredOutgoing[], error: unknown): readonly Undeliverable[] {
    if (!(error instanceof MessageUndeliverableError)) return [];
    const named = new Set(error.messageIds);
    return waiting
      .filter(({ event, message }) => named.has((event ?? message!).id))
      .map((outgoing) => this.#giveUp(outgoing, error.reason, error));
  }

  async #publishOneByOne(
    waiting: readonly StoredOutgoing[],
    attempt: PublishOne,
    left: Set<StoredOutgoing>,
  ): Promise<void> {
    const { published, undeliverable, failed, outage } = await this.#attemptEach(waiting, attempt, left);
    // Where nothing at all goes through, it is not the messages' fault.
    const counts = failed.length === 1 || published.length > 0 || undeliverable.length > 0;
    const retried: Failed[] = [];
    for (const failure of failed) {
      const { outgoing, error } = failure;
      if (!counts || this.#failing.count(outgoing.id) < mostAttempts) retried.push(failure);
      else undeliverable.push(this.#giveUp(outgoing, DeadLetterCause.AttemptsExhausted, error, 0));
    }
    await this.#settle(published, undeliverable);
    if (outage !== undefined || retried.length > 0) throw outage ?? retried[0]!.error;
  }

  async #attemptEach(
    waiting: readonly StoredOutgoing[],
    attempt: PublishOne,
    left: Set<StoredOutgoing>,
  ): Promise<Attempts> {
    const { closed } = this.#parts;
    const attempts: Attempts = { published: [], undeliverable: [], failed: [], outage: undefined };
    const heldBack = new Set<Uuid>();
    for (const outgoing of waiting) {
      const message = this.#message(outgoing);
      if (closed.holdsBack(message)) left.add(outgoing);
      if (left.has(outgoing) || heldBack.has(message.streamId)) continue;
      try {
        await attempt(message);
        closed.opened(message);
        attempts.published.push(outgoing);
      } catch (error) {
        if (isOutage(error)) {
          attempts.outage = error;
          break;
        }
        if (error instanceof MessageUndeliverableError) {
          attempts.undeliverable.push(this.#giveUp(outgoing, error.reason, error));
        } else if (isClosed(error)) {
          closed.closed(message, error);
          left.add(outgoing);
        } else {
          heldBack.add(message.streamId);
          attempts.failed.push({ outgoing, error });
        }
      }
    }
    return attempts;
  }

  /** `last`: how many attempts are not counted yet. */
  #giveUp(outgoing: StoredOutgoing, cause: DeadLetterCause, error: unknown, last = 1): Undeliverable {
    const { attempts, firstFailedAt } = this.#failing.of(outgoing.id);
    const message = this.#message(outgoing);
    return {
      outgoing,
      failure: { direction: 'outgoing', message, cause, error, attempts: attempts + last, firstFailedAt },
    };
  }

  /** Takes messages out of the outbox, with the dead letters of those that are undeliverable. */
  async #settle(published: readonly StoredOutgoing[], undeliverable: readonly Undeliverable[]): Promise<void> {
    const { log, toDeadLetters } = this.#parts;
    const settled = [...published, ...undeliverable.map(({ outgoing }) => outgoing)];
    if (settled.length === 0) return;
    const delivered = { lane: 'transport', ids: settled.map(({ id }) => id) } as const;
    const deadLettered = toDeadLetters(undeliverable.map(({ failure }) => failure));
    await log.commit({ events: [], delivered, received: [], ...deadLettered });
    this.#failing.forget(delivered.ids);
  }

  readonly #publishOne: PublishOne = (message) => this.#parts.transport.publish([message]);

  #message(outgoing: StoredOutgoing): TransportMessage {
    return toMessage(outgoing, this.#parts.origin);
  }
}

type PublishOne = (message: TransportMessage) => Promise<void>;

/** What became of messages that were tried one by one. */
interface Attempts {
  readonly published: StoredOutgoing[];
  readonly undeliverable: Undeliverable[];
  readonly failed: Failed[];
  outage: unknown;
}

interface Undeliverable {
  readonly outgoing: StoredOutgoing;
  readonly failure: FailedMessage;
}

interface Failed {
  readonly outgoing: StoredOutgoing;
  readonly error: unknown;
}

function isOutage(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    (error.code === 'SVC_TRANSPORT_UNAVAILABLE' || error.code === 'SVC_TRANSPORT_CLOSED')
  );
}

/** Whether the destination is the cause, such as a full queue or missing access: other destinations may be open. */
function isClosed(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    (error.code === 'SVC_DESTINATION_UNAVAILABLE' || error.code === 'SVC_TRANSPORT_MISCONFIGURED')
  );
}

function toMessage({ destination, event, message }: StoredOutgoing, origin: string): TransportMessage {
  const { id, type, body, timestamp, correlationId, causationId, scope, metadata } = event ?? message!;
  // A command belongs to no stream, and holds back no other message.
  const streamId = event?.streamId ?? id;
  return {
    id,
    type,
    streamId,
    body,
    timestamp,
    correlationId,
    causationId,
    scope: withoutPermissions(scope),
    metadata,
    destination,
    origin,
  };
}
