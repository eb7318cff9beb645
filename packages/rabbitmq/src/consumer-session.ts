import { RetryDelay } from '@svc/core/transport';
import type { Channel, ConsumeMessage } from 'amqplib';
import { closeGently, type Connection } from './connect.js';
import { hasEnded } from './failures.js';
import type { Taking } from './consumer.js';

/** A channel that consumes a queue, from its opening to its end. The broker sends no more than `prefetch` ahead of what is done. */
export class ConsumerSession {
  readonly connection: Connection;
  readonly queue: string;
  readonly #channel: Channel;
  readonly #retry = new RetryDelay();
  #waiting: ConsumeMessage[] = [];
  #wake: () => void = () => {};
  #isOpen = true;
  #isClosing = false;
  #consumerTag = '';
  #lastWords: Error | null = null;

  private constructor(connection: Connection, channel: Channel, queue: string) {
    this.connection = connection;
    this.#channel = channel;
    this.queue = queue;
    channel.on('error', (error: Error) => (this.#lastWords = error));
    channel.once('close', () => this.#end());
  }

  static async open(connection: Connection, taking: Taking): Promise<ConsumerSession> {
    const channel = await connection.createChannel();
    // Without a listener it would end the process. Whatever is asked of the channel fails then.
    channel.on('error', () => {});
    const queue = await taking.declare(channel, connection);
    await channel.prefetch(taking.prefetch);
    const session = new ConsumerSession(connection, channel, queue);
    await session.#consume();
    return session;
  }

  /** Why the broker has ended it; null when it has not, or without a word. */
  get lastWords(): Error | null {
    return this.#lastWords;
  }

  /** Whether messages come in. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#isClosing;
  }

  /** The oldest messages that have come, as soon as there is one; none once the session has ended. */
  async next(most: number): Promise<readonly ConsumeMessage[]> {
    while (this.isOpen) {
      await this.#gather(most);
      if (this.isOpen && this.#waiting.length > 0) return this.#waiting.splice(0, most);
      if (this.isOpen) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return [];
  }

  /** Ends the session, which comes after the last message of it is done with. What is not goes back to the queue. */
  async end(): Promise<void> {
    if (this.#isOpen) await closeGently(this.#channel);
  }

  /** What comes in one turn of the event loop after another goes together: a socket hands over a few dozen at a time. */
  async #gather(most: number): Promise<void> {
    for (let before = -1; this.#waiting.length > before && this.#waiting.length < most;) {
      before = this.#waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** All up to the last of these are done with, but for those that are for the broker to put aside. */
  done(batch: readonly ConsumeMessage[], refused: ReadonlySet<ConsumeMessage>): void {
    this.#retry.reset();
    for (const delivery of refused) this.refuse(delivery);
    const last = batch.findLast((delivery) => !refused.has(delivery));
    if (last !== undefined) this.#answer(() => this.#channel.ack(last, true));
  }

  /** This one is done with, whatever becomes of the others. */
  doneWith(delivery: ConsumeMessage): void {
    this.#answer(() => this.#channel.ack(delivery));
  }

  /** The broker puts it among the dead letters itself, as it came. */
  refuse(delivery: ConsumeMessage): void {
    this.#answer(() => this.#channel.reject(delivery, false));
  }

  /** Waits before the same messages are tried again, longer each time. */
  pause(): Promise<void> {
    return this.#retry.wait();
  }

  /** Lets no more messages come. What is under way may still be done with; `end` ends the session. */
  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.#isClosing = true;
    this.#retry.cancel();
    this.#wake();
    await this.#channel.cancel(this.#consumerTag).catch(() => {});
  }

  async #consume(): Promise<void> {
    const { consumerTag } = await this.#channel.consume(this.queue, (message) => {
      if (message === null) {
        // The queue was removed.
        void closeGently(this.#channel);
        return;
      }
      this.#waiting.push(message);
      this.#wake();
    });
    this.#consumerTag = consumerTag;
  }

  /** What the broker does not hear of comes again, and is known by its id. */
  #answer(send: () => void): void {
    if (!this.#isOpen) return;
    try {
      send();
    } catch (error) {
      // The channel has ended, and says so in a moment.
      if (!hasEnded(error)) throw error;
    }
  }

  #end(): void {
    this.#isOpen = false;
    this.#waiting = [];
    this.#retry.cancel();
    this.#wake();
  }
}
