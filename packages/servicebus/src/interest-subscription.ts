import {
  largestReceiveBatch,
  RetryDelay,
  type Interest,
  type ReceivedMessage,
  type ReceiveMessages,
  type Subscription,
} from '@svc/core/transport';
import { fromServiceBus } from './messages.js';
import type { Settings } from './options.js';
import type { SessionListener } from './session-listener.js';
import type { Incoming, Outcome, SessionTurn } from './session-turn.js';

/** A received message and its topic. */
interface Arrived {
  readonly incoming: Incoming;
  readonly topic: string;
}

/** A parsed message; null if it is not wanted, or the error why it cannot be parsed. */
interface Read {
  readonly incoming: Incoming;
  readonly message: ReceivedMessage | null;
  readonly cause: Error | null;
}

/**
 * Passes on the messages of one interest, one batch at a time, and then settles them. If a batch cannot be processed, its sessions stay
 * locked and the same batch is retried: nothing overtakes it, and its delivery count does not increase.
 */
export class InterestSubscription implements Subscription {
  readonly #wanted: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #receive: ReceiveMessages;
  readonly #topicOf: (destination: string) => string;
  readonly #retry = new RetryDelay();
  readonly #waiting: Arrived[] = [];
  #listeners: readonly SessionListener[] = [];
  #handingOver: Promise<void> | null = null;
  #isClosed = false;

  constructor({ topics }: Interest, receive: ReceiveMessages, { topicOf }: Settings) {
    this.#wanted = new Map(topics.map(({ topic, types }) => [topic, new Set(types)]));
    this.#receive = receive;
    this.#topicOf = topicOf;
  }

  async open(listeners: readonly SessionListener[]): Promise<void> {
    this.#listeners = listeners;
    try {
      await Promise.all(listeners.map((listener) => listener.open()));
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  get isUp(): boolean {
    return !this.#isClosed && this.#listeners.every(({ isUp }) => isUp);
  }

  take(incoming: Incoming, topic: string): void {
    this.#waiting.push({ incoming, topic });
    this.#handingOver ??= this.#handOver();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#retry.cancel();
    await this.#handingOver;
    await Promise.all(this.#listeners.map((listener) => listener.close()));
  }

  async #handOver(): Promise<void> {
    // Messages that arrive in one turn of the event loop form a batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0 && !this.#isClosed) {
      await this.#handOverBatch(this.#waiting.splice(0, largestReceiveBatch).map((arrived) => this.#read(arrived)));
    }
    this.#handingOver = null;
  }

  async #handOverBatch(batch: readonly Read[]): Promise<void> {
    while (!this.#isClosed) {
      // Messages whose session was lost are delivered again, possibly to another host.
      const held = batch.filter(({ incoming: { turn } }) => !turn.isLost);
      const messages = held.flatMap(({ message }) => message ?? []);
      try {
        const unprocessable = messages.length === 0 ? [] : await this.#receive(messages);
        this.#retry.reset();
        const causes = new Map(unprocessable.map(({ message, cause }) => [message, cause]));
        const causeOf = ({ message, cause }: Read): Error | null =>
          message === null ? cause : (causes.get(message) ?? null);
        return await settle(held.map((read) => ({ incoming: read.incoming, cause: causeOf(read) })));
      } catch {
        await this.#retry.wait();
      }
    }
  }

  #read({ incoming, topic }: Arrived): Read {
    const { received } = incoming;
    const { subject = '' } = received;
    const wanted = this.#wanted.get(subject);
    try {
      // The destination in the message counts only if it belongs to the topic on which the message arrived.
      const isOfTopic = wanted === undefined || this.#topicOf(subject) === topic;
      const message = fromServiceBus(received, isOfTopic ? subject : `topic:${topic}`);
      const isWanted = wanted?.has(message.type) === true;
      return { incoming, message: isWanted ? message : null, cause: null };
    } catch (error) {
      return { incoming, message: null, cause: error as Error };
    }
  }
}

/** Settles each session separately, in its order. */
async function settle(outcomes: readonly Outcome[]): Promise<void> {
  const byTurn = new Map<SessionTurn, Outcome[]>();
  for (const outcome of outcomes) {
    const { turn } = outcome.incoming;
    const known = byTurn.get(turn);
    if (known === undefined) byTurn.set(turn, [outcome]);
    else known.push(outcome);
  }
  await Promise.all([...byTurn].map(([turn, ofTurn]) => turn.settle(ofTurn)));
}
