import { CommandTurns, type ReceiveCommand, type ReceivedMessage } from '@svc/core/transport';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { ConsumerSession } from './consumer-session.js';
import type { Taking } from './consumer.js';
import type { TakingParts } from './event-batches.js';
import { publishLetters } from './putting-aside.js';
import { declareInbox } from './topology.js';
import { fromDelivery } from './wire.js';

/** Takes the commands of a host's inbox, side by side: each is done with by itself. */
export class Commands implements Taking {
  readonly #parts: TakingParts;
  /** Over all sessions: what was under way when one was lost goes on, and comes again in the next. */
  readonly #turns: CommandTurns;
  /** One after the other. */
  #puttingAside: Promise<void> = Promise.resolve();

  constructor(parts: TakingParts, receive: ReceiveCommand) {
    this.#parts = parts;
    this.#turns = new CommandTurns(receive, parts.settings.commandsAtOnce);
  }

  get prefetch(): number {
    return this.#parts.settings.commandsAtOnce;
  }

  declare(channel: Channel): Promise<string> {
    const { names, settings } = this.#parts;
    return declareInbox(channel, names, settings.deliveryLimit);
  }

  async takeAll(session: ConsumerSession): Promise<void> {
    for (;;) {
      const deliveries = await session.next(this.prefetch);
      if (deliveries.length === 0) return;
      for (const delivery of deliveries) {
        const message = this.#read(delivery);
        if (message instanceof Error) this.#putAsideNext(session, delivery, message);
        else void this.#take(session, delivery, message);
      }
    }
  }

  async finish(): Promise<void> {
    await this.#turns.close();
    await this.#puttingAside;
  }

  #read(delivery: ConsumeMessage): ReceivedMessage | Error {
    const { names, settings } = this.#parts;
    try {
      return fromDelivery(delivery, names.inboxRouteOf(delivery.fields), settings.users);
    } catch (error) {
      return error as Error;
    }
  }

  async #take(session: ConsumerSession, delivery: ConsumeMessage, message: ReceivedMessage): Promise<void> {
    // One of a session that was lost comes again in the next, here or at another host.
    const outcome = await this.#turns.take(message, () => session.isOpen);
    if (outcome === true) session.doneWith(delivery);
    else if (outcome !== false) this.#putAsideNext(session, delivery, outcome);
  }

  #putAsideNext(session: ConsumerSession, delivery: ConsumeMessage, cause: Error): void {
    this.#puttingAside = this.#puttingAside.then(() => this.#putAside(session, delivery, cause));
  }

  async #putAside(session: ConsumerSession, delivery: ConsumeMessage, cause: Error): Promise<void> {
    while (session.isOpen) {
      try {
        const unsendable = await publishLetters([[delivery, cause]], session.queue, this.#parts);
        return unsendable.size === 0 ? session.doneWith(delivery) : session.refuse(delivery);
      } catch {
        await session.pause();
      }
    }
  }
}
