import type { MessageDescriptor, MessageRegistry, TransportPublishFilter } from '../messages/index.js';
import { auditDestination, isSystemMessage } from '../system-events/index.js';
import type { Interest } from './transport.js';
import type { WantedTopic } from './wanted-topic.js';

/** The namespace of a type: `orders` for `orders.OrderPlaced`. */
export function namespaceOf(type: string): string {
  return type.slice(0, type.lastIndexOf('.'));
}

/** The topic of an event type: its namespace, or the audit topic for system events. */
export function topicOf(message: MessageDescriptor): string {
  return isSystemMessage(message) ? auditDestination : namespaceOf(message.type);
}

/**
 * The subscriptions of a host for the events that it accepts and that the filter allows. Domain events share one interest, so that events of
 * a stream arrive in order across namespaces; system events have another, so that neither delays the other.
 */
export function interestsOf(
  messages: MessageRegistry,
  filter: TransportPublishFilter,
  accepts: (namespace: string) => boolean,
): readonly Interest[] {
  const known = [...messages.all].filter(({ kind }) => kind !== 'command');
  const isWanted = (message: MessageDescriptor): boolean =>
    accepts(namespaceOf(message.type)) && filter.shouldReceiveFromTransport(message.class);
  const interest = (name: string, some: readonly MessageDescriptor[]): Interest => ({
    name,
    topics: topicsOf(some.filter(isWanted)),
    unwanted: topicsOf(some.filter((message) => !isWanted(message))),
  });
  const interests = [
    interest(
      'events',
      known.filter((message) => !isSystemMessage(message)),
    ),
    interest('system-events', known.filter(isSystemMessage)),
  ];
  return interests.filter(({ topics }) => topics.length > 0);
}

/** Groups events by their topics. */
export function topicsOf(messages: readonly MessageDescriptor[]): readonly WantedTopic[] {
  const typesOf = new Map<string, string[]>();
  for (const message of messages) {
    const topic = topicOf(message);
    typesOf.set(topic, [...(typesOf.get(topic) ?? []), message.type]);
  }
  return [...typesOf].map(([topic, types]) => ({ topic, types }));
}
