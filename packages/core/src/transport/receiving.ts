import { parseJson, readOrThrow } from '../json/index.js';
import type { MessageRegistry, TransportPublishFilter } from '../messages/index.js';
import { MessageSettledError, type EventLog } from '../storage/index.js';
import type { ReceiveMessage, TransportMessage } from './transport.js';

/**
 * Keeps what other hosts publish, each message once, in its stream. It is neither audited nor published again: the host it comes
 * from has done both. Types that this host does not know, and what the filter holds back, are left alone.
 */
export function receiving(
  log: EventLog,
  messages: MessageRegistry,
  filter: TransportPublishFilter,
  self: string,
): ReceiveMessage {
  return async (message) => {
    const descriptor = messages.findType(message.type);
    if (message.origin === self || descriptor === undefined) return;
    if (!filter.shouldReceiveFromTransport(descriptor.class)) return;
    // What cannot be read must not be kept: it would stop everybody who reads the stream.
    readOrThrow(descriptor.read, parseJson(message.body));
    try {
      await log.commit({ events: [toEvent(message)], outgoing: [], delivered: null, received: [message.id] });
    } catch (error) {
      if (!(error instanceof MessageSettledError)) throw error;
    }
  };
}

function toEvent({ destination: _destination, origin, metadata, ...event }: TransportMessage) {
  return { ...event, metadata: { ...metadata, origin }, expectedPosition: undefined };
}
