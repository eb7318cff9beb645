import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { DeadLetterCause, type EventLog, type StoredOutgoing } from '../storage/index.js';
import type { GivenUp, PutAsideMessages } from './dead-lettering.js';
import { FailedAttempts } from './failed-attempts.js';
import { MessageRefusedError } from './message-refused-error.js';
import type { Deliver } from './outbox-worker.js';
import type { Transport, TransportMessage } from './transport.js';

/** How often messages are tried together before they are one by one: most failures pass, and then their order is kept. */
const mostTogether = 3;

/** How often a message is tried that fails although the broker is there; that is half a minute, with the pauses between. */
const mostAttempts = 10;

/**
 * Publishes what waits in the outbox. What was published and not noted as such is published again; receivers know it by its id.
 *
 * Messages that the transport refuses by name are put aside. When messages cannot be published together for another reason, they are
 * one by one: a message that fails holds back those of its own stream and no
 * others. One that the transport refuses, or that failed too often, becomes a dead letter in the record that takes it out of the
 * outbox, and its stream goes on behind it. A broker that is away is nobody's fault, and is waited for as long as it takes; so is
 * somebody who lets this host in again where it does not get in, while what goes elsewhere goes on.
 */
export function transportDelivery(
  log: EventLog,
  transport: Transport,
  origin: string,
  putAside: PutAsideMessages,
): Deliver {
  const failing = new FailedAttempts();
  let failuresTogether = 0;
  const publish = (message: TransportMessage): Promise<void> => transport.publish([message]);

  return async (waiting) => {
    try {
      await transport.publish(waiting.map((outgoing) => toMessage(outgoing, origin)));
    } catch (error) {
      if (isOutage(error)) throw error;
      const refused = refusedOf(waiting, error);
      if (refused.length > 0) {
        return await done(
          refused.map(({ outgoing }) => outgoing),
          refused.map(({ givenUp }) => givenUp),
        );
      }
      const isFirst = ++failuresTogether < mostTogether;
      if (isFirst && waiting.length > 1) throw error;
      // One that is alone has just been tried.
      await deliverOneByOne(waiting, waiting.length === 1 ? () => Promise.reject(error) : publish);
      return;
    }
    failuresTogether = 0;
    await done(waiting, []);
  };

  /** The messages that the transport names; those beside them go together without them. */
  function refusedOf(waiting: readonly StoredOutgoing[], error: unknown): readonly Refused[] {
    if (!(error instanceof MessageRefusedError)) return [];
    const named = new Set(error.messageIds);
    return waiting
      .filter(({ event, message }) => named.has((event ?? message!).id))
      .map((outgoing) => ({ outgoing, givenUp: giveUp(outgoing, toMessage(outgoing, origin), error.reason, error) }));
  }

  async function deliverOneByOne(waiting: readonly StoredOutgoing[], attempt: typeof publish): Promise<void> {
    const published: StoredOutgoing[] = [];
    const refused: Refused[] = [];
    const failed: { readonly outgoing: StoredOutgoing; readonly message: TransportMessage; readonly error: unknown }[] =
      [];
    let outage: unknown;
    const heldBack = new Set<Uuid>();
    const shut = new Set<string>();
    for (const outgoing of waiting) {
      const message = toMessage(outgoing, origin);
      if (shut.has(message.destination)) heldBack.add(message.streamId);
      if (heldBack.has(message.streamId)) continue;
      try {
        await attempt(message);
        published.push(outgoing);
      } catch (error) {
        if (isOutage(error)) {
          outage = error;
          break;
        }
        if (error instanceof MessageRefusedError) {
          refused.push({ outgoing, givenUp: giveUp(outgoing, message, error.reason, error) });
        } else {
          heldBack.add(message.streamId);
          if (isMisconfigured(error)) shut.add(message.destination);
          failed.push({ outgoing, message, error });
        }
      }
    }
    // Where nothing at all goes through, it is not the messages' fault.
    const counts = failed.length === 1 || published.length + refused.length > 0;
    for (const { outgoing, message, error } of counts ? failed : []) {
      if (isMisconfigured(error) || failing.count(outgoing.id) < mostAttempts) continue;
      const givenUp = giveUp(outgoing, message, DeadLetterCause.AttemptsExhausted, error, 0);
      refused.push({ outgoing, givenUp });
    }
    const settled = [...published, ...refused.map(({ outgoing }) => outgoing)];
    const givenUp = refused.map((one) => one.givenUp);
    if (settled.length > 0) await done(settled, givenUp);
    const left = failed.filter(({ outgoing }) => !settled.includes(outgoing));
    if (outage !== undefined || left.length > 0) throw outage ?? left[0]!.error;
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

function isOutage(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    (error.code === 'SVC_TRANSPORT_UNAVAILABLE' || error.code === 'SVC_TRANSPORT_CLOSED')
  );
}

/** A password or a right that was changed, an entity that was removed: no message can help it. */
function isMisconfigured(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'SVC_TRANSPORT_MISCONFIGURED';
}

function toMessage({ destination, event, message }: StoredOutgoing, origin: string): TransportMessage {
  const { id, type, body, timestamp, correlationId, causationId, scope, metadata } = event ?? message!;
  // A command belongs to no stream, and holds back no other.
  const streamId = event?.streamId ?? id;
  return { id, type, streamId, body, timestamp, correlationId, causationId, scope, metadata, destination, origin };
}
