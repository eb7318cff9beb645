import { CommandTurns, inboxOf, type ReceiveCommand, type TransportMessage } from '@svc/core';
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
  readonly #receive: ReceiveCommand;
  readonly #inbox: string;

  constructor(parts: TakingParts, receive: ReceiveCommand) {
    this.#parts = parts;
    this.#receive = receive;
    this.#inbox = inboxOf(parts.settings.hostName);
  }

  get prefetch(): number {
    return this.#parts.settings.commandsAtOnce;
  }

  declare(channel: Channel): Promise<string> {
    const { names, settings } = this.#parts;
    return declareInbox(channel, names, settings.deliveryLimit);
  }

  async takeAll(session: ConsumerSession): Promise<void> {
    const turns = new CommandTurns(this.#receive);
    const puttingAside = new Set<Promise<void>>();
    for (;;) {
      const deliveries = await session.next(this.prefetch);
      if (deliveries.length === 0) break;
      for (const delivery of deliveries) {
        const message = this.#read(delivery);
        if (!(message instanceof Error)) void this.#take(session, delivery, turns, message);
        else {
          const putting = this.#putAside(session, delivery, message).finally(() => puttingAside.delete(putting));
          puttingAside.add(putting);
        }
      }
    }
    await Promise.all([turns.close(), ...puttingAside]);
  }

  #read(delivery: ConsumeMessage): TransportMessage | Error {
    try {
      return fromDelivery(delivery, this.#inbox);
    } catch (error) {
      return error as Error;
    }
  }

  async #take(
    session: ConsumerSession,
    delivery: ConsumeMessage,
    turns: CommandTurns,
    message: TransportMessage,
  ): Promise<void> {
    // One of a session that was lost comes again in the next, here or at another host.
    if (await turns.take(message, () => session.isOpen)) session.doneWith(delivery);
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
