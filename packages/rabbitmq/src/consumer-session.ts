import { RetryDelay } from '@svc/core/transport';
import type { Channel, ConsumeMessage } from 'amqplib';
import { closeGently, type Connection } from './connect.js';
import { hasEnded } from './failures.js';

/** The queue of a session. */
export interface SessionQueue {
  /** The maximum number of unacknowledged messages. */
  readonly prefetch: number;
  /** Declares the queue and its bindings, and returns its name. */
  declare(channel: Channel, connection: Connection): Promise<string>;
}

/** A channel that consumes a queue, from open to close. At most `prefetch` messages are unacknowledged. */
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
  #closeError: Error | null = null;

  private constructor(connection: Connection, channel: Channel, queue: string) {
    this.connection = connection;
    this.#channel = channel;
    this.queue = queue;
    channel.on('error', (error: Error) => (this.#closeError = error));
    channel.once('close', () => this.#end());
  }

  static async open(connection: Connection, queue: SessionQueue): Promise<ConsumerSession> {
    const channel = await connection.createChannel();
    // Without a listener the error would end the process. Later calls on the channel fail.
    channel.on('error', () => {});
    const name = await queue.declare(channel, connection);
    await channel.prefetch(queue.prefetch);
    const session = new ConsumerSession(connection, channel, name);
    await session.#consume();
    return session;
  }

  /** Why the broker has closed the channel; null if it is open or was closed without a reason. */
  get closeError(): Error | null {
    return this.#closeError;
  }

  /** Whether messages are being delivered. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#isClosing;
  }

  /** The oldest deliveries, as soon as there are any; empty once the session has ended. */
  async next(most: number): Promise<readonly ConsumeMessage[]> {
    while (this.isOpen) {
      await this.#gather(most);
      if (this.isOpen && this.#waiting.length > 0) return this.#waiting.splice(0, most);
      if (this.isOpen) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return [];
  }

  /** Ends the session after its last message is acknowledged. Unacknowledged messages go back to the queue. */
  async end(): Promise<void> {
    if (this.#isOpen) await closeGently(this.#channel);
  }

  /** Batches the deliveries of successive turns of the event loop: a socket delivers a few dozen at a time. */
  async #gather(most: number): Promise<void> {
    for (let before = -1; this.#waiting.length > before && this.#waiting.length < most;) {
      before = this.#waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Acknowledges all messages up to the last of these, except those that the broker is to dead-letter. */
  done(batch: readonly ConsumeMessage[], rejected: ReadonlySet<ConsumeMessage>): void {
    this.#retry.reset();
    for (const delivery of rejected) this.reject(delivery);
    const last = batch.findLast((delivery) => !rejected.has(delivery));
    if (last !== undefined) this.#answer(() => this.#channel.ack(last, true));
  }

  /** Acknowledges one message, independent of others. */
  doneWith(delivery: ConsumeMessage): void {
    this.#answer(() => this.#channel.ack(delivery));
  }

  /** Lets the broker dead-letter the message unchanged. */
  reject(delivery: ConsumeMessage): void {
    this.#answer(() => this.#channel.reject(delivery, false));
  }

  /** Waits before the same messages are retried, longer each time. */
  pause(): Promise<void> {
    return this.#retry.wait();
  }

  /** Stops deliveries. Messages in progress can still be acknowledged; `end` ends the session. */
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
        // The queue was deleted.
        void closeGently(this.#channel);
        return;
      }
      this.#waiting.push(message);
      this.#wake();
    });
    this.#consumerTag = consumerTag;
  }

  /** A lost acknowledgement leads to a redelivery, which is recognized by its id. */
  #answer(send: () => void): void {
    if (!this.#isOpen) return;
    try {
      send();
    } catch (error) {
      // The channel is closed; its `close` event follows.
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
