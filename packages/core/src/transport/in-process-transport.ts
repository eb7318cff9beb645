import { RetryDelay } from './retry-delay.js';
import {
  largestReceiveBatch,
  type Interest,
  type ReceiveMessages,
  type Refusal,
  type Subscription,
  type Transport,
  type TransportMessage,
} from './transport.js';

/** Connects hosts inside one process: for tests and trials, with the promises of a real transport. Nothing outlives the process. */
export class InProcessTransport implements Transport {
  readonly #queues = new Set<Queue>();
  readonly #deadLetters: Refusal[] = [];

  /** Resolves for everybody who is subscribed at this moment: nothing is kept for those who are not. */
  publish(messages: readonly TransportMessage[]): Promise<void> {
    for (const queue of this.#queues) queue.add(messages);
    return Promise.resolve();
  }

  subscribe(interest: Interest, receive: ReceiveMessages): Promise<Subscription> {
    const queue = new Queue(interest, receive, (refused) => this.#deadLetters.push(...refused));
    this.#queues.add(queue);
    const close = async (): Promise<void> => {
      this.#queues.delete(queue);
      await queue.close();
    };
    return Promise.resolve({
      get isUp() {
        return !queue.isClosed;
      },
      close,
    });
  }

  /** What subscribers have refused. */
  get deadLetters(): readonly Refusal[] {
    return this.#deadLetters;
  }

  /** Resolves once everything that was published has been handed over. */
  async idle(): Promise<void> {
    await Promise.all([...this.#queues].map((queue) => queue.handedOver()));
  }
}

/** What waits for one subscription. */
class Queue {
  readonly #wanted: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #receive: ReceiveMessages;
  readonly #putAside: (refused: readonly Refusal[]) => void;
  readonly #retry = new RetryDelay();
  #waiting: TransportMessage[] = [];
  #handingOver: Promise<void> | null = null;
  isClosed = false;

  constructor({ topics }: Interest, receive: ReceiveMessages, putAside: (refused: readonly Refusal[]) => void) {
    this.#wanted = new Map(topics.map(({ topic, types }) => [topic, new Set(types)]));
    this.#receive = receive;
    this.#putAside = putAside;
  }

  add(messages: readonly TransportMessage[]): void {
    for (const message of messages) {
      if (this.#wanted.get(message.destination)?.has(message.type) === true) this.#waiting.push(message);
    }
    if (this.#waiting.length > 0) this.#handingOver ??= this.#handOver();
  }

  async handedOver(): Promise<void> {
    while (this.#handingOver !== null) await this.#handingOver;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.#retry.cancel();
    await this.handedOver();
  }

  async #handOver(): Promise<void> {
    while (this.#waiting.length > 0 && !this.isClosed) {
      const batch = this.#waiting.slice(0, largestReceiveBatch);
      try {
        this.#putAside(await this.#receive(batch));
        this.#waiting = this.#waiting.slice(batch.length);
        this.#retry.reset();
      } catch {
        await this.#retry.wait();
      }
    }
    this.#handingOver = null;
  }
}
