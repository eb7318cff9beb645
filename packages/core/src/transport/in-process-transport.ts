import { hostOfInbox } from '../messages/index.js';
import { InProcessInbox } from './in-process-inbox.js';
import { MessageRefusedError } from './message-refused-error.js';
import { RetryDelay } from './retry-delay.js';
import {
  largestReceiveBatch,
  type Interest,
  type ReceiveCommand,
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
  readonly #inboxes = new Map<string, InProcessInbox>();

  /** The transport of a host that has a name: it has an inbox, too. Hosts of one name share it. */
  host(hostName: string): Transport {
    return {
      hostName,
      publish: (messages) => this.publish(messages),
      subscribe: (interest, receive) => this.subscribe(interest, receive),
      openInbox: (receive) => Promise.resolve(this.#openInbox(hostName, receive)),
    };
  }

  /** Resolves for everybody who is subscribed at this moment: nothing is kept for those who are not. Commands wait in inboxes. */
  publish(messages: readonly TransportMessage[]): Promise<void> {
    const refused: TransportMessage[] = [];
    for (const message of messages) {
      const host = hostOfInbox(message.destination);
      if (host === null) continue;
      const inbox = this.#inboxes.get(host);
      if (inbox === undefined) refused.push(message);
      else inbox.add(message);
    }
    for (const queue of this.#queues) queue.add(messages);
    if (refused.length === 0) return Promise.resolve();
    return Promise.reject(
      new MessageRefusedError(
        refused.map(({ id }) => id),
        'NoInbox',
      ),
    );
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
    await Promise.all([...this.#queues, ...this.#inboxes.values()].map((queue) => queue.handedOver()));
  }

  #openInbox(hostName: string, receive: ReceiveCommand): Subscription {
    const inbox = this.#inboxes.get(hostName) ?? new InProcessInbox();
    this.#inboxes.set(hostName, inbox);
    return inbox.open(receive);
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
