import { inboxOf, type Interest } from '@svc/core/transport';
import type { Channel, ConsumeMessage } from 'amqplib';
import { closeGently, type Connection } from './connect.js';
import type { Settings } from './options.js';
import type { DeliveryRoute } from './delivery-route.js';

type Delivered = Pick<ConsumeMessage['fields'], 'exchange' | 'routingKey'>;

/** The names of all exchanges and queues. */
export class Names {
  readonly #prefix: string;
  readonly #hostName: string;

  constructor({ prefix, hostName }: Pick<Settings, 'prefix' | 'hostName'>) {
    this.#prefix = prefix;
    this.#hostName = hostName;
  }

  exchangeOf(topic: string): string {
    return this.#prefix + topic;
  }

  /** The topic of an event. The exchange of another system, or none at all, is not a topic: topics contain no colon. */
  topicRouteOf({ exchange, routingKey }: Delivered): DeliveryRoute {
    const isOurs = exchange !== '' && exchange.startsWith(this.#prefix);
    const destination = isOurs ? exchange.slice(this.#prefix.length) : `exchange:${exchange}`;
    return { destination, routedType: routingKey };
  }

  /** The origin of a command: this host's inbox, if it came through the exchange of commands with this host's routing key. */
  inboxRouteOf({ exchange, routingKey }: Delivered): DeliveryRoute {
    const isForThis = exchange === this.inboxExchange && routingKey === this.#hostName;
    return { destination: isForThis ? inboxOf(this.#hostName) : `exchange:${exchange}`, routedType: null };
  }

  queueOf({ name }: Interest): string {
    return `${this.#prefix}${this.#hostName}.${name}`;
  }

  /** The exchange of commands. The routing key is the name of the receiving host. */
  get inboxExchange(): string {
    return `${this.#prefix}svc.inbox`;
  }

  get inboxQueue(): string {
    return `${this.#prefix}${this.#hostName}.inbox`;
  }

  get hostName(): string {
    return this.#hostName;
  }

  /** The exchange of dead letters. The routing key is the name of the original queue. */
  get deadLetterExchange(): string {
    return `${this.#prefix}svc.dead-letters`;
  }
}

/** Topics, and the direct exchanges of commands and dead letters. */
export type ExchangeType = 'topic' | 'direct';

export async function declareExchange(channel: Channel, exchange: string, type: ExchangeType): Promise<void> {
  await channel.assertExchange(exchange, type, { durable: true });
}

/**
 * Declares the queue of an interest and its bindings; existing ones stay. Types that this host does not know stay bound, because another
 * instance may have another version.
 */
export async function declareQueue(
  channel: Channel,
  names: Names,
  interest: Interest,
  deliveryLimit: number,
): Promise<string> {
  const queue = names.queueOf(interest);
  // Two concurrent consumers would break the order of a stream.
  await declareQuorumQueue(channel, names, queue, {
    'x-single-active-consumer': true,
    'x-delivery-limit': deliveryLimit,
  });
  for (const { topic, types } of interest.topics) {
    const exchange = names.exchangeOf(topic);
    await declareExchange(channel, exchange, 'topic');
    await Promise.all(types.map((type) => channel.bindQueue(queue, exchange, type)));
  }
  return queue;
}

/**
 * Unbinds a queue from types that its host no longer accepts. Each on a separate channel: the broker closes a channel on which a user
 * names an exchange that it may not read. Such a user cannot have bound the queue to it either.
 */
export async function unbindUnwanted(connection: Connection, names: Names, interest: Interest): Promise<void> {
  for (const { topic, types } of interest.unwanted ?? []) {
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    const unbound = types.map((type) => channel.unbindQueue(names.queueOf(interest), names.exchangeOf(topic), type));
    const outcomes = await Promise.allSettled(unbound);
    if (outcomes.every(({ status }) => status === 'fulfilled')) await closeGently(channel);
  }
}

/** Declares the inbox of a host. Commands are unordered: hosts of one name consume it concurrently. */
export async function declareInbox(channel: Channel, names: Names, deliveryLimit: number): Promise<string> {
  const { inboxQueue: queue, inboxExchange, hostName } = names;
  await declareQuorumQueue(channel, names, queue, { 'x-delivery-limit': deliveryLimit });
  await declareExchange(channel, inboxExchange, 'direct');
  await channel.bindQueue(queue, inboxExchange, hostName);
  return queue;
}

/** A durable queue and its dead-letter queue. */
async function declareQuorumQueue(
  channel: Channel,
  names: Names,
  queue: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  await declareExchange(channel, names.deadLetterExchange, 'direct');
  await channel.assertQueue(`${queue}.dead-letters`, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await channel.bindQueue(`${queue}.dead-letters`, names.deadLetterExchange, queue);
  await channel.assertQueue(queue, {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      ...settings,
      'x-dead-letter-exchange': names.deadLetterExchange,
      'x-dead-letter-routing-key': queue,
      // At-least-once dead-lettering: a message leaves its queue only after the other queue has it. It requires `reject-publish`.
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
  });
}
