import { largestReceiveBatch, type Interest, type ReceivedMessage, type ReceiveMessages } from '@svc/core/transport';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { HandlerParts } from './handler-parts.js';
import type { Connection } from './connect.js';
import type { ConsumerSession } from './consumer-session.js';
import type { QueueHandler } from './consumer.js';
import { publishDeadLetters, type DeadLetter } from './publish-dead-letters.js';
import { declareQueue, unbindUnwanted } from './topology.js';
import { fromDelivery } from './wire.js';

/** Processes the events of one interest in batches. Each batch is acknowledged before the next. */
export class EventBatches implements QueueHandler {
  readonly #parts: HandlerParts;
  readonly #interest: Interest;
  readonly #receive: ReceiveMessages;

  constructor(parts: HandlerParts, interest: Interest, receive: ReceiveMessages) {
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

  async processMessages(session: ConsumerSession): Promise<void> {
    for (;;) {
      const batch = await session.next(largestReceiveBatch);
      if (batch.length === 0) return;
      await this.#processBatch(session, batch);
    }
  }

  /** No batch outlives its session: the next session must not overtake it. */
  finish(): Promise<void> {
    return Promise.resolve();
  }

  async #processBatch(session: ConsumerSession, batch: readonly ConsumeMessage[]): Promise<void> {
    const { names, settings } = this.#parts;
    const deliveries: ConsumeMessage[] = [];
    const messages: ReceivedMessage[] = [];
    const dead: DeadLetter[] = [];
    for (const delivery of batch) {
      try {
        messages.push(fromDelivery(delivery, names.topicRouteOf(delivery.fields), settings.users));
        deliveries.push(delivery);
      } catch (error) {
        dead.push([delivery, error as Error]);
      }
    }
    // Messages of an ended session are delivered again in the next one.
    while (session.isOpen) {
      try {
        const unprocessable = messages.length === 0 ? [] : await this.#receive(messages);
        const letters: DeadLetter[] = unprocessable.map(({ message, cause }) => [
          deliveries[messages.indexOf(message)]!,
          cause,
        ]);
        session.done(batch, await publishDeadLetters([...dead, ...letters], session.queue, this.#parts));
        return;
      } catch {
        await session.pause();
      }
    }
  }
}
