import { hostOfInbox } from '../messages/index.js';
import { InProcessInbox } from './in-process-inbox.js';
import { MessageUndeliverableError } from './message-undeliverable-error.js';
import { RetryDelay } from '../background/index.js';
import {
  largestReceiveBatch,
  type Interest,
  type PublishedMessage,
  type ReceiveCommand,
  type ReceivedMessage,
  type ReceiveMessages,
  type Subscription,
  type Transport,
  type UnprocessableMessage,
} from './transport.js';

/**
 * Connects hosts in one process, for tests and trials, with the guarantees of a real transport. Messages are lost when the process ends.
 * The origin of messages that are published through `host(name)` is proven; that of others is not.
 */
export class InProcessTransport implements Transport {
  readonly #queues = new Set<Queue>();
  readonly #deadLetters: UnprocessableMessage[] = [];
  readonly #inboxes = new Map<string, InProcessInbox>();

  /** The transport of a host with a name, which has an inbox. Hosts of the same name share it. */
  host(hostName: string): Transport {
    return {
      hostName,
      canProve: () => this.canProve(),
      publish: (messages) => this.#publish(messages, hostName),
      subscribe: (interest, receive) => this.subscribe(interest, receive),
      openInbox: (receive) => Promise.resolve(this.#openInbox(hostName, receive)),
    };
  }

  canProve(): boolean {
    return true;
  }

  /** Delivers events to the current subscriptions only. Commands wait in inboxes. */
  publish(messages: readonly PublishedMessage[]): Promise<void> {
    return this.#publish(messages, null);
  }

  #publish(published: readonly PublishedMessage[], provenOrigin: string | null): Promise<void> {
    const undeliverable: ReceivedMessage[] = [];
    const messages = published.map((message) => arrivalOf(message, provenOrigin));
    for (const message of messages) {
      const host = hostOfInbox(message.destination);
      if (host === null) continue;
      const inbox = this.#inboxes.get(host);
      if (inbox === undefined) undeliverable.push(message);
      else inbox.add(message);
    }
    for (const queue of this.#queues) queue.add(messages);
    if (undeliverable.length === 0) return Promise.resolve();
    return Promise.reject(
      new MessageUndeliverableError(
        undeliverable.map(({ id }) => id),
        'NoInbox',
      ),
    );
  }

  subscribe(interest: Interest, receive: ReceiveMessages): Promise<Subscription> {
    const queue = new Queue(interest, receive, (messages) => this.#deadLetters.push(...messages));
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

  /** The messages that subscribers have rejected. */
  get deadLetters(): readonly UnprocessableMessage[] {
    return this.#deadLetters;
  }

  /** Resolves once all published messages are processed. */
  async idle(): Promise<void> {
    await Promise.all([...this.#queues, ...this.#inboxes.values()].map((queue) => queue.handedOver()));
  }

  #openInbox(hostName: string, receive: ReceiveCommand): Subscription {
    const inbox = this.#inboxes.get(hostName) ?? new InProcessInbox((message) => this.#deadLetters.push(message));
    this.#inboxes.set(hostName, inbox);
    return inbox.open(receive);
  }
}

/** Routed by the destination alone: no routed type could differ from the type. */
function arrivalOf(message: PublishedMessage, provenOrigin: string | null): ReceivedMessage {
  return { ...message, signature: message.signature ?? null, provenOrigin, routedType: null };
}

/** The messages that wait for one subscription. */
class Queue {
  readonly #wanted: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #receive: ReceiveMessages;
  readonly #deadLetter: (messages: readonly UnprocessableMessage[]) => void;
  readonly #retry = new RetryDelay();
  #waiting: ReceivedMessage[] = [];
  #handingOver: Promise<void> | null = null;
  isClosed = false;

  constructor(
    { topics }: Interest,
    receive: ReceiveMessages,
    deadLetter: (messages: readonly UnprocessableMessage[]) => void,
  ) {
    this.#wanted = new Map(topics.map(({ topic, types }) => [topic, new Set(types)]));
    this.#receive = receive;
    this.#deadLetter = deadLetter;
  }

  add(messages: readonly ReceivedMessage[]): void {
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
        this.#deadLetter(await this.#receive(batch));
        this.#waiting = this.#waiting.slice(batch.length);
        this.#retry.reset();
      } catch {
        await this.#retry.wait();
      }
    }
    this.#handingOver = null;
  }
}
