import type { Interest } from '@svc/core';
import type { Channel } from 'amqplib';
import type { Settings } from './options.js';

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

  topicOf(exchange: string): string {
    return exchange.startsWith(this.#prefix) ? exchange.slice(this.#prefix.length) : exchange;
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
 * Declares the queue of an interest and everything around it; what is there already stays. Bindings that are no longer wanted stay too:
 * another instance may be of an older version, and what comes of them is left alone.
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
