import { ConcurrentCommands, type ReceiveCommand, type ReceivedMessage } from '@svc/core/transport';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { ConsumerSession } from './consumer-session.js';
import type { QueueHandler } from './consumer.js';
import type { HandlerParts } from './handler-parts.js';
import { publishDeadLetters } from './publish-dead-letters.js';
import { declareInbox } from './topology.js';
import { fromDelivery } from './wire.js';

/** Processes the commands of a host's inbox concurrently. Each is acknowledged on its own. */
export class Commands implements QueueHandler {
  readonly #parts: HandlerParts;
  /** Shared by all sessions: commands of a lost session finish, and are delivered again in the next session. */
  readonly #running: ConcurrentCommands;
  /** Dead letters are published one after the other. */
  #deadLettering: Promise<void> = Promise.resolve();

  constructor(parts: HandlerParts, receive: ReceiveCommand) {
    this.#parts = parts;
    this.#running = new ConcurrentCommands(receive, parts.settings.commandsAtOnce);
  }

  get prefetch(): number {
    return this.#parts.settings.commandsAtOnce;
  }

  declare(channel: Channel): Promise<string> {
    const { names, settings } = this.#parts;
    return declareInbox(channel, names, settings.deliveryLimit);
  }

  async processMessages(session: ConsumerSession): Promise<void> {
    for (;;) {
      const deliveries = await session.next(this.prefetch);
      if (deliveries.length === 0) return;
      for (const delivery of deliveries) {
        const message = this.#read(delivery);
        if (message instanceof Error) this.#queueDeadLetter(session, delivery, message);
        else void this.#process(session, delivery, message);
      }
    }
  }

  async finish(): Promise<void> {
    await this.#running.close();
    await this.#deadLettering;
  }

  #read(delivery: ConsumeMessage): ReceivedMessage | Error {
    const { names, settings } = this.#parts;
    try {
      return fromDelivery(delivery, names.inboxRouteOf(delivery.fields), settings.users);
    } catch (error) {
      return error as Error;
    }
  }

  async #process(session: ConsumerSession, delivery: ConsumeMessage, message: ReceivedMessage): Promise<void> {
    // A delivery of a lost session is delivered again, to this or another host.
    const outcome = await this.#running.take(message, () => session.isOpen);
    if (outcome === true) session.doneWith(delivery);
    else if (outcome !== false) this.#queueDeadLetter(session, delivery, outcome);
  }

  #queueDeadLetter(session: ConsumerSession, delivery: ConsumeMessage, cause: Error): void {
    this.#deadLettering = this.#deadLettering.then(() => this.#deadLetter(session, delivery, cause));
  }

  async #deadLetter(session: ConsumerSession, delivery: ConsumeMessage, cause: Error): Promise<void> {
    while (session.isOpen) {
      try {
        const unsendable = await publishDeadLetters([[delivery, cause]], session.queue, this.#parts);
        return unsendable.size === 0 ? session.doneWith(delivery) : session.reject(delivery);
      } catch {
        await session.pause();
      }
    }
  }
}
