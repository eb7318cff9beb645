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

  /** Dead letters go through it, each with the name of the queue it comes from as routing key. */
  get deadLetterExchange(): string {
    return `${this.#prefix}svc.dead-letters`;
  }
}

export async function declareTopic(channel: Channel, exchange: string): Promise<void> {
  await channel.assertExchange(exchange, 'topic', { durable: true });
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
  await channel.assertExchange(names.deadLetterExchange, 'direct', { durable: true });
  await channel.assertQueue(`${queue}.dead-letters`, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await channel.bindQueue(`${queue}.dead-letters`, names.deadLetterExchange, queue);
  await channel.assertQueue(queue, {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      // The order of a stream would not survive two at once.
      'x-single-active-consumer': true,
      'x-delivery-limit': deliveryLimit,
      'x-dead-letter-exchange': names.deadLetterExchange,
      'x-dead-letter-routing-key': queue,
      // A dead letter leaves its queue when the other one has it, not before; which rules out that queues drop messages.
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
  });
  for (const { topic, types } of interest.topics) {
    const exchange = names.exchangeOf(topic);
    await declareTopic(channel, exchange);
    await Promise.all(types.map((type) => channel.bindQueue(queue, exchange, type)));
  }
  return queue;
}
