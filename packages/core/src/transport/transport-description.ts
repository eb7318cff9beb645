import type { WantedTopic } from './wanted-topic.js';

/**
 * Where the messages of a host are at its broker, for the AsyncAPI document. It names no broker, no user and no credential: callers of the service
 * can read it.
 */
export interface TransportDescription {
  /** Where the events of a topic are. */
  topic(topic: WantedTopic): DescribedDestination;
  /** Where the commands to a host are. */
  inbox(hostName: string): DescribedDestination;
}

/** A destination at a broker, in the words of AsyncAPI. */
export interface DescribedDestination {
  /** The address of the channel; parameters are in braces: `orders.{event}`. */
  readonly address: string;
  /** The values of each parameter. Absent: the address has none. */
  readonly parameters?: Readonly<Record<string, readonly string[]>>;
  /** The bindings of the channel by protocol: `{ amqp: { … } }`. */
  readonly channelBindings: Readonly<Record<string, object>>;
  /** The bindings of the operation that publishes. Absent: none. */
  readonly publishBindings?: Readonly<Record<string, object>>;
}
