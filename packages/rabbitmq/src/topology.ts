import { inboxOf, type Interest } from '@svc/core/transport';
import type { Channel, ConsumeMessage } from 'amqplib';
import { closeGently, type Connection } from './connect.js';
import type { Settings } from './options.js';
import type { DeliveryRoute } from './wire.js';

type Delivered = Pick<ConsumeMessage['fields'], 'exchange' | 'routingKey'>;

/** What everything is called at the broker. */
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

  /** Where an event came from. An exchange of another system, or none at all, is no topic: topics have no colon. */
  topicRouteOf({ exchange, routingKey }: Delivered): DeliveryRoute {
    const isOurs = exchange !== '' && exchange.startsWith(this.#prefix);
    const destination = isOurs ? exchange.slice(this.#prefix.length) : `exchange:${exchange}`;
    return { destination, routedType: routingKey };
  }

  /** Where a command came from: this host's inbox, if it came through the exchange of commands under the name of this host. */
  inboxRouteOf({ exchange, routingKey }: Delivered): DeliveryRoute {
    const isForThis = exchange === this.inboxExchange && routingKey === this.#hostName;
    return { destination: isForThis ? inboxOf(this.#hostName) : `exchange:${exchange}`, routedType: null };
  }

  queueOf({ name }: Interest): string {
    return `${this.#prefix}${this.#hostName}.${name}`;
  }

  /** Commands go through it, each with the name of the host it is for as routing key. */
  get inboxExchange(): string {
    return `${this.#prefix}svc.inbox`;
  }

  get inboxQueue(): string {
    return `${this.#prefix}${this.#hostName}.inbox`;
  }

  get hostName(): string {
    return this.#hostName;
  }

  /** Dead letters go through it, each with the name of the queue it comes from as routing key. */
  get deadLetterExchange(): string {
    return `${this.#prefix}svc.dead-letters`;
  }
}

/** Topics, and the direct exchanges of commands and of dead letters. */
export type ExchangeType = 'topic' | 'direct';

export async function declareExchange(channel: Channel, exchange: string, type: ExchangeType): Promise<void> {
  await channel.assertExchange(exchange, type, { durable: true });
}

/**
 * Declares the queue of an interest and everything around it; what is there already stays. Types that the host does not know stay bound:
 * another instance may be of another version, and what comes of them is left alone.
 */
export async function declareQueue(
  channel: Channel,
  names: Names,
  interest: Interest,
  deliveryLimit: number,
): Promise<string> {
  const queue = names.queueOf(interest);
  // The order of a stream would not survive two at once.
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
 * Unbinds a queue from the types that its host does not accept any more. On channels of their own: the broker ends one on which a user asks
 * for an exchange that it may not read. Such a user cannot have bound the queue to it either.
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

/** Declares the inbox of a host. Commands are in no order: hosts of one name take them side by side. */
export async function declareInbox(channel: Channel, names: Names, deliveryLimit: number): Promise<string> {
  const { inboxQueue: queue, inboxExchange, hostName } = names;
  await declareQuorumQueue(channel, names, queue, { 'x-delivery-limit': deliveryLimit });
  await declareExchange(channel, inboxExchange, 'direct');
  await channel.bindQueue(queue, inboxExchange, hostName);
  return queue;
}

/** A queue that is on disk, and beside it the one of its dead letters. */
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
      // A dead letter leaves its queue when the other one has it, not before; which rules out that queues drop messages.
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
  });
}
