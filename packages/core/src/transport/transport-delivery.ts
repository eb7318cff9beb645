import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { withoutPermissions } from '../security/index.js';
import { DeadLetterCause, type EventLog, type StoredOutgoing } from '../storage/index.js';
import type { ClosedDestinations } from './closed-destinations.js';
import type { GivenUp, PutAsideMessages } from './dead-lettering.js';
import { FailedAttempts } from './failed-attempts.js';
import { MessageRefusedError } from './message-refused-error.js';
import type { Transport, TransportMessage } from './transport.js';
import type { PublishPage } from './transport-worker.js';

/** How often messages are tried together before they are one by one: most failures pass, and then their order is kept. */
const mostTogether = 3;

/** How often a message is tried that fails although the broker is there; that is half a minute, with the pauses between. */
const mostAttempts = 10;

export interface TransportDeliveryParts {
  readonly log: EventLog;
  readonly transport: Pick<Transport, 'publish'>;
  /** What this host calls itself in messages. */
  readonly origin: string;
  readonly putAside: PutAsideMessages;
  readonly closed: ClosedDestinations;
}

/**
 * Publishes what waits in the outbox. What was published and not noted as such is published again; receivers know it by its id.
 *
 * Messages that the transport refuses by name are put aside. When messages cannot be published together for another reason, they are
 * one by one: a message that fails holds back those of its own stream and no
 * others. One that the transport refuses, or that failed too often, becomes a dead letter in the record that takes it out of the
 * outbox, and its stream goes on behind it. A broker that is away is nobody's fault, and is waited for as long as it takes. A destination
 * that is closed is waited for as well, while what goes elsewhere goes on (decision 0082).
 */
export function transportDelivery({ log, transport, origin, putAside, closed }: TransportDeliveryParts): PublishPage {
  const failing = new FailedAttempts();
  let failuresTogether = 0;
  const publish = (message: TransportMessage): Promise<void> => transport.publish([message]);

  return async (page) => {
    const left = new Set<StoredOutgoing>();
    let together: StoredOutgoing[] = [];
    for (const outgoing of page) {
      const message = toMessage(outgoing, origin);
      if (closed.holdsBack(message)) {
        left.add(outgoing);
      } else if (closed.isUntried(message)) {
        // Alone: together with others it would fail them, too. What is before it goes first.
        await publishTogether(together, left);
        together = [];
        await publishOneByOne([outgoing], publish, left);
      } else {
        together.push(outgoing);
      }
    }
    await publishTogether(together, left);
    return left;
  };

  async function publishTogether(waiting: readonly StoredOutgoing[], left: Set<StoredOutgoing>): Promise<void> {
    if (waiting.length === 0) return;
    try {
      await transport.publish(waiting.map((outgoing) => toMessage(outgoing, origin)));
    } catch (error) {
      if (isOutage(error)) throw error;
      const refused = refusedOf(waiting, error);
      if (refused.length > 0) {
        const named = refused.map(({ outgoing }) => outgoing);
        await done(
          named,
          refused.map(({ givenUp }) => givenUp),
        );
        return await publishTogether(
          waiting.filter((outgoing) => !named.includes(outgoing)),
          left,
        );
      }
      const isFirst = ++failuresTogether < mostTogether;
      if (isFirst && waiting.length > 1) throw error;
      // One that is alone has just been tried.
      await publishOneByOne(waiting, waiting.length === 1 ? () => Promise.reject(error) : publish, left);
      return;
    }
    failuresTogether = 0;
    await done(waiting, []);
  }

  /** The messages that the transport names; those beside them go together without them. */
  function refusedOf(waiting: readonly StoredOutgoing[], error: unknown): readonly Refused[] {
    if (!(error instanceof MessageRefusedError)) return [];
    const named = new Set(error.messageIds);
    return waiting
      .filter(({ event, message }) => named.has((event ?? message!).id))
      .map((outgoing) => ({ outgoing, givenUp: giveUp(outgoing, toMessage(outgoing, origin), error.reason, error) }));
  }

  async function publishOneByOne(
    waiting: readonly StoredOutgoing[],
    attempt: typeof publish,
    left: Set<StoredOutgoing>,
  ): Promise<void> {
    const published: StoredOutgoing[] = [];
    const refused: Refused[] = [];
    const failed: Failed[] = [];
    let outage: unknown;
    const heldBack = new Set<Uuid>();
    for (const outgoing of waiting) {
      const message = toMessage(outgoing, origin);
      if (closed.holdsBack(message)) left.add(outgoing);
      if (left.has(outgoing) || heldBack.has(message.streamId)) continue;
      try {
        await attempt(message);
        closed.opened(message);
        published.push(outgoing);
      } catch (error) {
        if (isOutage(error)) {
          outage = error;
          break;
        }
        if (error instanceof MessageRefusedError) {
          refused.push({ outgoing, givenUp: giveUp(outgoing, message, error.reason, error) });
        } else if (isClosed(error)) {
          closed.closed(message, error);
          left.add(outgoing);
        } else {
          heldBack.add(message.streamId);
          failed.push({ outgoing, message, error });
        }
      }
    }
    // Where nothing at all goes through, it is not the messages' fault.
    const counts = failed.length === 1 || published.length + refused.length > 0;
    for (const { outgoing, message, error } of counts ? failed : []) {
      if (failing.count(outgoing.id) < mostAttempts) continue;
      const givenUp = giveUp(outgoing, message, DeadLetterCause.AttemptsExhausted, error, 0);
      refused.push({ outgoing, givenUp });
    }
    const settled = [...published, ...refused.map(({ outgoing }) => outgoing)];
    const givenUp = refused.map((one) => one.givenUp);
    if (settled.length > 0) await done(settled, givenUp);
    const retried = failed.filter(({ outgoing }) => !settled.includes(outgoing));
    if (outage !== undefined || retried.length > 0) throw outage ?? retried[0]!.error;
  }

  function giveUp(
    { id }: StoredOutgoing,
    message: TransportMessage,
    cause: DeadLetterCause,
    error: unknown,
    last = 1,
  ): GivenUp {
    const { attempts, firstFailedAt } = failing.of(id);
    return { direction: 'outgoing', message, cause, error, attempts: attempts + last, firstFailedAt };
  }

  async function done(settled: readonly StoredOutgoing[], givenUp: readonly GivenUp[]): Promise<void> {
    const delivered = { lane: 'transport', ids: settled.map(({ id }) => id) } as const;
    const aside = givenUp.length === 0 ? { outgoing: [] } : putAside(givenUp);
    await log.commit({ events: [], delivered, received: [], ...aside });
    failing.forget(delivered.ids);
  }
}

interface Refused {
  readonly outgoing: StoredOutgoing;
  readonly givenUp: GivenUp;
}

interface Failed {
  readonly outgoing: StoredOutgoing;
  readonly message: TransportMessage;
  readonly error: unknown;
}

function isOutage(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    (error.code === 'SVC_TRANSPORT_UNAVAILABLE' || error.code === 'SVC_TRANSPORT_CLOSED')
  );
}

/** A queue that is full, a right that was changed, an entity that was removed: no message can help it, and other destinations may be open. */
function isClosed(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    (error.code === 'SVC_DESTINATION_UNAVAILABLE' || error.code === 'SVC_TRANSPORT_MISCONFIGURED')
  );
}

function toMessage({ destination, event, message }: StoredOutgoing, origin: string): TransportMessage {
  const { id, type, body, timestamp, correlationId, causationId, scope, metadata } = event ?? message!;
  // A command belongs to no stream, and holds back no other.
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
