import { RetryDelay } from './retry-delay.js';
import type { ReceiveMessage, Subscription, Transport, TransportMessage } from './transport.js';

/** Connects hosts inside one process: for tests and trials, with the promises of a real transport. Nothing outlives the process. */
export class InProcessTransport implements Transport {
  readonly #queues = new Set<Queue>();

  publish(messages: readonly TransportMessage[]): Promise<void> {
    for (const queue of this.#queues) queue.add(messages);
    return Promise.resolve();
  }

  subscribe(receive: ReceiveMessage): Promise<Subscription> {
    const queue = new Queue(receive);
    this.#queues.add(queue);
    const close = async (): Promise<void> => {
      this.#queues.delete(queue);
      await queue.close();
    };
    return Promise.resolve({ isUp: true, close });
  }

  /** Resolves once everything that was published has been handed over. */
  async idle(): Promise<void> {
    await Promise.all([...this.#queues].map((queue) => queue.handedOver));
  }
}

class Queue {
  readonly #receive: ReceiveMessage;
  readonly #retry = new RetryDelay();
  #closed = false;
  handedOver: Promise<void> = Promise.resolve();

  constructor(receive: ReceiveMessage) {
    this.#receive = receive;
  }

  add(messages: readonly TransportMessage[]): void {
    this.handedOver = this.#afterThat(this.handedOver, messages);
  }

  async #afterThat(before: Promise<void>, messages: readonly TransportMessage[]): Promise<void> {
    await before;
    for (const message of messages) await this.#handOver(message);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#retry.cancel();
    await this.handedOver;
  }

  async #handOver(message: TransportMessage): Promise<void> {
    while (!this.#closed) {
      try {
        await this.#receive(message);
        this.#retry.reset();
        return;
      } catch {
        await this.#retry.wait();
      }
    }
  }
}
