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

/** A message that has come, and the topic it came on. */
interface Arrived {
  readonly incoming: Incoming;
  readonly topic: string;
}

/** A message that was read; null when it is not wanted, or the cause why it cannot be read. */
interface Read {
  readonly incoming: Incoming;
  readonly message: ReceivedMessage | null;
  readonly cause: Error | null;
}

/**
 * Hands over what has come for one interest, one batch at a time, and settles it then. When it cannot be taken, its streams stay
 * locked and the same batch comes again: nothing behind it goes first, and nothing is counted as delivered in vain.
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
    // What comes in one turn of the event loop goes together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0 && !this.#isClosed) {
      await this.#handOverBatch(this.#waiting.splice(0, largestReceiveBatch).map((arrived) => this.#read(arrived)));
    }
    this.#handingOver = null;
  }

  async #handOverBatch(batch: readonly Read[]): Promise<void> {
    while (!this.#isClosed) {
      // What was lost meanwhile comes again, perhaps to another host.
      const held = batch.filter(({ incoming: { turn } }) => !turn.isLost);
      const messages = held.flatMap(({ message }) => message ?? []);
      try {
        const refused = messages.length === 0 ? [] : await this.#receive(messages);
        this.#retry.reset();
        const causes = new Map(refused.map(({ message, cause }) => [message, cause]));
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
      // The destination is what a message says of itself. It counts when it is one of the topic that the message came on.
      const isOfTopic = wanted === undefined || this.#topicOf(subject) === topic;
      const message = fromServiceBus(received, isOfTopic ? subject : `topic:${topic}`);
      const isWanted = wanted?.has(message.type) === true;
      return { incoming, message: isWanted ? message : null, cause: null };
    } catch (error) {
      return { incoming, message: null, cause: error as Error };
    }
  }
}

/** Each stream for itself, in its order. */
async function settle(outcomes: readonly Outcome[]): Promise<void> {
  const ofTurns = new Map<SessionTurn, Outcome[]>();
  for (const outcome of outcomes) {
    const { turn } = outcome.incoming;
    const known = ofTurns.get(turn);
    if (known === undefined) ofTurns.set(turn, [outcome]);
    else known.push(outcome);
  }
  await Promise.all([...ofTurns].map(([turn, ofTurn]) => turn.settle(ofTurn)));
}
