import { parseJson } from '../json/index.js';
import type { MessageRegistry, TransportPublishFilter } from '../messages/index.js';
import {
  DuplicateEventError,
  MessageSettledError,
  StorageUnavailableError,
  type EventLog,
  type PendingRecord,
} from '../storage/index.js';
import type { ReceiveMessages, Refusal, TransportMessage } from './transport.js';

/** How often one message is tried that fails although the storage is there; that is half a minute, with the pauses between. */
export const mostReceiveAttempts = 10;

/**
 * Keeps what other hosts publish, each message once, in its stream. It is neither audited nor published again: the host it comes
 * from has done both. Types that this host does not know, and what the filter holds back, are left alone. What cannot be kept is
 * refused.
 */
export function receiving(
  log: EventLog,
  messages: MessageRegistry,
  filter: TransportPublishFilter,
  self: string,
): ReceiveMessages {
  let failing = { id: '', attempts: 0 };

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
  async function keep(batch: readonly TransportMessage[]): Promise<readonly Refusal[]> {
    try {
      await log.commit({
        events: batch.map(toReceivedEvent),
        outgoing: [],
        delivered: null,
        received: batch.map(({ id }) => id),
      });
      return [];
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      if (batch.length === 1) return notKept(batch[0]!, error);
      const half = batch.length >> 1;
      const refused = await keep(batch.slice(0, half));
      return [...refused, ...(await keep(batch.slice(half)))];
    }
  }

  function notKept(message: TransportMessage, error: unknown): readonly Refusal[] {
    // It came before.
    if (error instanceof MessageSettledError) return [];
    const isAgain = failing.id === message.id;
    failing = { id: message.id, attempts: isAgain ? failing.attempts + 1 : 1 };
    if (!(error instanceof DuplicateEventError) && failing.attempts < mostReceiveAttempts) throw error;
    return [{ message, cause: asError(error) }];
  }

  return async (batch) => {
    const refused: Refusal[] = [];
    const wanted = new Map<string, TransportMessage>();
    for (const message of batch) {
      if (wanted.has(message.id) || !isWanted(message)) continue;
      const flaw = flawOf(message);
      if (flaw === null) wanted.set(message.id, message);
      else refused.push({ message, cause: flaw });
    }
    if (wanted.size === 0) return refused;
    return [...refused, ...(await keep([...wanted.values()]))];
  };
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
