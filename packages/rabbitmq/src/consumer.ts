import { largestReceiveBatch, RetryDelay, type Interest, type ReceiveMessages, type Subscription } from '@svc/core';
import type { ServiceError, TransportMessage } from '@svc/core';
import type { ConsumeMessage } from 'amqplib';
import { ConsumerSession } from './consumer-session.js';
import { closed, failureOf, hasEnded } from './failures.js';
import type { Link } from './link.js';
import type { Settings } from './options.js';
import type { Publisher } from './publisher.js';
import type { Names } from './topology.js';
import { fromDelivery, toDeadLetter } from './wire.js';

/** What the consumers of a transport share. */
export interface ConsumerParts {
  readonly link: Link;
  readonly publisher: Publisher;
  readonly names: Names;
  readonly settings: Settings;
}

const longestPauseMs = 5_000;
/** A subscription waits for the broker as long as it takes. */
const noLimitMs = 2 ** 31 - 1;

/** Takes the messages of one queue, in sessions: a new one whenever the last one was lost. */
export class Consumer implements Subscription {
  readonly #parts: ConsumerParts;
  readonly #interest: Interest;
  readonly #receive: ReceiveMessages;
  readonly #reconnecting = new RetryDelay(longestPauseMs);
  #session: ConsumerSession | null = null;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;
  #endWaiting: () => void = () => {};

  constructor(parts: ConsumerParts, interest: Interest, receive: ReceiveMessages) {
    this.#parts = parts;
    this.#interest = interest;
    this.#receive = receive;
  }

  get isUp(): boolean {
    return this.#session?.isOpen ?? false;
  }

  /** Resolves once messages come in, or with why they do not; which goes on being tried. */
  start(): Promise<ServiceError | null> {
    return new Promise((resolve) => {
      this.#running = this.#run(resolve);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reconnecting.cancel();
    this.#endWaiting();
    await this.#session?.close();
    await this.#running;
  }

  async #run(started: (failure: ServiceError | null) => void): Promise<void> {
    let reported = false;
    while (!this.#isClosed) {
      try {
        this.#session = await this.#open();
        started(null);
        reported = false;
        this.#reconnecting.reset();
        await this.#takeAll(this.#session);
      } catch (error) {
        const failure = failureOf(error);
        started(failure);
        if (!reported && !this.#isClosed) this.#parts.settings.report(failure);
        reported = true;
      }
      this.#session = null;
      await this.#reconnecting.wait();
    }
    started(null);
  }

  async #open(): Promise<ConsumerSession> {
    const { link, names, settings } = this.#parts;
    const ended = new Promise<never>((_, reject) => (this.#endWaiting = () => reject(closed())));
    const connection = await Promise.race([link.connection(noLimitMs), ended]);
    const session = await ConsumerSession.open(connection, names, this.#interest, settings).catch((error: unknown) => {
      if (hasEnded(error)) link.drop(connection);
      throw error;
    });
    if (this.#isClosed) await session.close();
    return session;
  }

  /** One batch after the other, until the session ends. */
  async #takeAll(session: ConsumerSession): Promise<void> {
    for (;;) {
      const batch = await session.next(largestReceiveBatch);
      if (batch.length === 0) return;
      await this.#takeBatch(session, batch);
    }
  }

  async #takeBatch(session: ConsumerSession, batch: readonly ConsumeMessage[]): Promise<void> {
    const { names, publisher } = this.#parts;
    const deliveries = new Map<TransportMessage, ConsumeMessage>();
    const dead: [ConsumeMessage, Error][] = [];
    for (const delivery of batch) {
      try {
        deliveries.set(fromDelivery(delivery, names), delivery);
      } catch (error) {
        dead.push([delivery, error as Error]);
      }
    }
    // Those of an ended session come again in the next one.
    while (session.isOpen) {
      try {
        const refused = deliveries.size === 0 ? [] : await this.#receive([...deliveries.keys()]);
        const letters = [...dead, ...refused.map(({ message, cause }) => [deliveries.get(message)!, cause] as const)];
        if (letters.length > 0) {
          await publisher.publishTo(
            letters.map(([delivery, cause]) => toDeadLetter(delivery, cause, session.queue, names)),
          );
        }
        session.done(batch);
        return;
      } catch {
        await session.pause();
      }
    }
  }
}
