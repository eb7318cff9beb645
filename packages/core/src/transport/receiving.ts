import { parseJson, type Uuid } from '../json/index.js';
import type { MessageRegistry, TransportPublishFilter } from '../messages/index.js';
import {
  DuplicateEventError,
  MessageSettledError,
  StorageUnavailableError,
  type EventLog,
  type PendingRecord,
} from '../storage/index.js';
import { FailedAttempts } from './failed-attempts.js';
import type { ReceiveMessages, Refusal, TransportMessage } from './transport.js';

/** How often one message is tried that fails although the storage is there; that is half a minute, with the pauses between. */
export const mostReceiveAttempts = 10;

/**
 * Keeps what other hosts publish, each message once, in its stream. It is neither audited nor published again: the host it comes
 * from has done both. Types that this host does not know, and what the filter holds back, are left alone. What cannot be kept, however
 * often it is tried, is refused; meanwhile it holds back those of its own stream and no others.
 */
export function receiving(
  log: EventLog,
  messages: MessageRegistry,
  filter: TransportPublishFilter,
  self: string,
): ReceiveMessages {
  const failing = new FailedAttempts();

  const isWanted = ({ origin, type }: TransportMessage): boolean => {
    const descriptor = origin === self ? undefined : messages.findType(type);
    return (
      descriptor !== undefined && descriptor.kind !== 'command' && filter.shouldReceiveFromTransport(descriptor.class)
    );
  };

  /** What cannot be read must not be kept: it would stop everybody who reads the stream. */
  const flawOf = ({ type, body, metadata }: TransportMessage): Error | null => {
    try {
      messages.readKept(type, parseJson(body), metadata);
      return null;
    } catch (error) {
      return asError(error);
    }
  };

  /** Keeps them as one record. When that does not go, the halves are kept one after the other: one flaw must not hold up the rest. */
  async function keep(some: readonly TransportMessage[], result: Result): Promise<void> {
    const batch = some.filter(({ streamId }) => !result.heldBack.has(streamId));
    if (batch.length === 0) return;
    try {
      await log.commit({
        events: batch.map(toReceivedEvent),
        outgoing: [],
        delivered: null,
        received: batch.map(({ id }) => id),
      });
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      if (batch.length === 1) return notKept(batch[0]!, error, result);
      const half = batch.length >> 1;
      await keep(batch.slice(0, half), result);
      await keep(batch.slice(half), result);
    }
  }

  function notKept(message: TransportMessage, error: unknown, { refused, heldBack }: Result): void {
    // It came before.
    if (error instanceof MessageSettledError) return;
    const isLast = error instanceof DuplicateEventError || failing.count(message.id) >= mostReceiveAttempts;
    if (isLast) refused.push({ message, cause: asError(error) });
    else heldBack.set(message.streamId, error);
  }

  return async (batch) => {
    const refused: Refusal[] = [];
    const heldBack = new Map<Uuid, unknown>();
    const wanted = new Map<Uuid, TransportMessage>();
    for (const message of batch) {
      if (wanted.has(message.id) || !isWanted(message)) continue;
      const flaw = flawOf(message);
      if (flaw === null) wanted.set(message.id, message);
      else refused.push({ message, cause: flaw });
    }
    await keep([...wanted.values()], { refused, heldBack });
    // They come again, and those that are refused with them: nobody has been told of those yet.
    if (heldBack.size > 0) throw heldBack.values().next().value;
    failing.forget(wanted.keys());
    return refused;
  };
}

/** What became of a batch so far. */
interface Result {
  readonly refused: Refusal[];
  /** Streams of which one message is to be tried again, and why it was not kept. */
  readonly heldBack: Map<Uuid, unknown>;
}

/** The event that a message is, with a note of where it comes from. */
export function toReceivedEvent(message: TransportMessage): PendingRecord {
  const { id, type, streamId, body, timestamp, correlationId, causationId, scope, origin } = message;
  const metadata = { ...message.metadata, origin };
  const expectedPosition = undefined;
  return { id, type, streamId, body, timestamp, correlationId, causationId, scope, metadata, expectedPosition };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
