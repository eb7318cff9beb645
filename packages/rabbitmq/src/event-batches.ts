import { largestReceiveBatch, type Interest, type ReceivedMessage, type ReceiveMessages } from '@svc/core/transport';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Connection } from './connect.js';
import type { ConsumerSession } from './consumer-session.js';
import type { Taking } from './consumer.js';
import type { Settings } from './options.js';
import type { Publisher } from './publisher.js';
import { publishLetters, type Letter } from './putting-aside.js';
import { declareQueue, unbindUnwanted, type Names } from './topology.js';
import { fromDelivery } from './wire.js';

/** What everything that takes messages needs. */
export interface TakingParts {
  readonly publisher: Publisher;
  readonly names: Names;
  readonly settings: Settings;
}

/** Takes the events of one interest: one batch after the other, each done with before the next. */
export class EventBatches implements Taking {
  readonly #parts: TakingParts;
  readonly #interest: Interest;
  readonly #receive: ReceiveMessages;

  constructor(parts: TakingParts, interest: Interest, receive: ReceiveMessages) {
    this.#parts = parts;
    this.#interest = interest;
    this.#receive = receive;
  }

  get prefetch(): number {
    return this.#parts.settings.prefetch;
  }

  async declare(channel: Channel, connection: Connection): Promise<string> {
    const { names, settings } = this.#parts;
    const queue = await declareQueue(channel, names, this.#interest, settings.deliveryLimit);
    await unbindUnwanted(connection, names, this.#interest);
    return queue;
  }

  async takeAll(session: ConsumerSession): Promise<void> {
    for (;;) {
      const batch = await session.next(largestReceiveBatch);
      if (batch.length === 0) return;
      await this.#takeBatch(session, batch);
    }
  }

  /** Nothing outlives its session: what comes after it must not be taken first. */
  finish(): Promise<void> {
    return Promise.resolve();
  }

  async #takeBatch(session: ConsumerSession, batch: readonly ConsumeMessage[]): Promise<void> {
    const { names, settings } = this.#parts;
    const deliveries: ConsumeMessage[] = [];
    const messages: ReceivedMessage[] = [];
    const dead: Letter[] = [];
    for (const delivery of batch) {
      try {
        messages.push(fromDelivery(delivery, names.topicRouteOf(delivery.fields), settings.users));
        deliveries.push(delivery);
      } catch (error) {
        dead.push([delivery, error as Error]);
      }
    }
    // Those of an ended session come again in the next one.
    while (session.isOpen) {
      try {
        const refused = messages.length === 0 ? [] : await this.#receive(messages);
        const letters: Letter[] = refused.map(({ message, cause }) => [deliveries[messages.indexOf(message)]!, cause]);
        session.done(batch, await publishLetters([...dead, ...letters], session.queue, this.#parts));
        return;
      } catch {
        await session.pause();
      }
    }
  }
}
