import type { MessageDescriptor, MessageRegistry, TransportPublishFilter } from '../messages/index.js';
import { auditDestination, isSystemMessage } from '../system-events/index.js';
import type { Interest } from './transport.js';

/** The topic of an event: `orders` for `orders.OrderPlaced`. */
export function topicOf(type: string): string {
  return type.slice(0, type.lastIndexOf('.'));
}

/**
 * What a host wants to be told of: the events it knows, in one interest, so that those of a stream arrive in order whatever their
 * namespaces; and system events, as far as the filter lets them in, in another, so that neither has to wait for the other.
 */
export function interestsOf(messages: MessageRegistry, filter: TransportPublishFilter): readonly Interest[] {
  const events: MessageDescriptor[] = [];
  const systemEvents: MessageDescriptor[] = [];
  for (const message of messages.all) {
    if (message.kind === 'command' || !filter.shouldReceiveFromTransport(message.class)) continue;
    (isSystemMessage(message) ? systemEvents : events).push(message);
  }
  return [interest('events', events, topicOf), interest('system-events', systemEvents, () => auditDestination)].filter(
    ({ topics }) => topics.length > 0,
  );
}

function interest(name: string, known: readonly MessageDescriptor[], topicOfType: (type: string) => string): Interest {
  const typesOf = new Map<string, string[]>();
  for (const { type } of known) {
    const topic = topicOfType(type);
    typesOf.set(topic, [...(typesOf.get(topic) ?? []), type]);
  }
  return { name, topics: [...typesOf].map(([topic, types]) => ({ topic, types })) };
}
