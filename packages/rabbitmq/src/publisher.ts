import { uuid, type ServiceError } from '@svc/core';
import { MessageUndeliverableError } from '@svc/core/transport';
import type { ConfirmChannel, Message } from 'amqplib';
import type { Outbound } from './outbound.js';
import type { Connection } from './connect.js';
import { failureOf, hasEnded, unavailable } from './failures.js';
import type { Link } from './link.js';
import { unsendableOf, type Unsendable } from './sendable.js';
import { declareExchange, type ExchangeType } from './topology.js';

/** A channel and its state. */
interface Open {
  readonly connection: Connection;
  readonly channel: ConfirmChannel;
  /** Exchanges that are known to exist. */
  readonly exchanges: Set<string>;
  /** The ids of confirmed mandatory messages that reached no queue. */
  readonly returned: Set<unknown>;
  /** Resolves when the channel is unusable. */
  readonly ended: () => void;
  /** The error with which the broker closed the channel; null while there is none. */
  closeError: Error | null;
}

/** Publishes batches: writes all messages, then waits until the broker has confirmed each of them. */
export class Publisher {
  readonly #link: Link;
  readonly #limitMs: number;
  #opening: Promise<Open> | null = null;

  constructor(link: Link, limitMs: number) {
    this.#link = link;
    this.#limitMs = limitMs;
  }

  /** Publishes to exchanges, which are created if missing. Throws `MessageUndeliverableError` for messages that can never be published. */
  async publish(messages: readonly Outbound[]): Promise<void> {
    const open = await this.#opened();
    const unsendable =
      unsendableOf(messages, open.connection) ??
      (await this.#inTime(open, async (isLate) => {
        for (const { exchange, exchangeType } of messages) {
          if (!open.exchanges.has(exchange)) await this.#declare(open, exchange, exchangeType);
        }
        return await this.#send(open, messages, isLate);
      }));
    if (unsendable !== null) throw undeliverable(unsendable);
  }

  /** Publishes to an existing exchange. Returns messages that can never be published; whether the others were is then unknown. */
  async publishTo(messages: readonly Outbound[]): Promise<readonly Outbound[]> {
    const open = await this.#opened();
    const unsendable =
      unsendableOf(messages, open.connection) ??
      (await this.#inTime(open, (isLate) => this.#send(open, messages, isLate)));
    return unsendable?.messages ?? [];
  }

  /** A round trip over the open channel. */
  async ping(): Promise<void> {
    const open = await this.#opened();
    try {
      await open.channel.checkExchange('amq.topic');
    } catch (error) {
      throw this.#failure(open, error);
    }
  }

  #opened(): Promise<Open> {
    // Messages written now would wait in memory until the broker reads again.
    if (this.#link.isBlocked) return Promise.reject(blocked());
    if (this.#opening === null) {
      // Another channel may be open by the time this one reports that it closed.
      const opening = this.#openChannel(() => {
        if (this.#opening === opening) this.#opening = null;
      });
      this.#opening = opening;
    }
    return this.#opening;
  }

  async #openChannel(ended: () => void): Promise<Open> {
    let connection: Connection | null = null;
    try {
      connection = await this.#link.connection(this.#limitMs);
      const channel = await connection.createConfirmChannel();
      const open: Open = { connection, channel, exchanges: new Set(), returned: new Set(), ended, closeError: null };
      channel.on('error', (error: Error) => (open.closeError = error));
      channel.on('return', ({ properties }: Message) => open.returned.add(properties.messageId));
      channel.once('close', ended);
      return open;
    } catch (error) {
      ended();
      if (connection !== null && hasEnded(error)) this.#link.drop(connection);
      throw failureOf(error);
    }
  }

  async #declare(open: Open, exchange: string, type: ExchangeType): Promise<void> {
    try {
      await declareExchange(open.channel, exchange, type);
      open.exchanges.add(exchange);
    } catch (error) {
      throw this.#failure(open, error);
    }
  }

  /** After the channel has closed, the next batch opens another one. */
  #failure(open: Open, error: unknown): ServiceError {
    if (hasEnded(error)) open.ended();
    return failureOf(open.closeError ?? error);
  }

  /** Fails if the broker does not answer in time. */
  async #inTime<T>({ connection }: Open, run: (isLate: () => boolean) => Promise<T>): Promise<T> {
    let isLate = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        reject(this.#link.isBlocked ? blocked() : unavailable('did not confirm messages within the time limit'));
        // A broker short of memory reports that and reads the messages later. A silent broker is gone.
        if (!this.#link.isBlocked) this.#link.drop(connection);
      }, this.#limitMs);
    });
    try {
      return await Promise.race([run(() => isLate), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(open: Open, messages: readonly Outbound[], isLate: () => boolean): Promise<Unsendable | null> {
    try {
      await confirmed(open.channel, messages, isLate);
    } catch (error) {
      const larger = tooLarge(open, messages);
      if (larger !== null) return larger;
      throw this.#failure(open, error);
    }
    return unroutable(open, messages);
  }
}

/** Commands for which no inbox exists. The broker returns them before it confirms them. */
function unroutable({ returned }: Open, messages: readonly Outbound[]): Unsendable | null {
  if (returned.size === 0) return null;
  const withoutInbox = messages.filter(({ options: { messageId } }) => returned.delete(messageId));
  return withoutInbox.length === 0 ? null : { messages: withoutInbox, reason: 'NoInbox' };
}

/** The broker closes the channel at a message that is too large; null if there was another reason. */
function tooLarge({ closeError }: Open, messages: readonly Outbound[]): Unsendable | null {
  const [, size, most] =
    /message size (\d+) is larger than (?:configured )?max size (\d+)/.exec(closeError?.message ?? '') ?? [];
  if (most === undefined) return null;
  const large = messages.filter(({ content }) => content.length > Number(most));
  const detail = `The first has ${size} bytes; the limit of the broker is ${most}.`;
  return large.length === 0 ? null : { messages: large, reason: 'TooLarge', detail };
}

function undeliverable({ messages, reason, detail }: Unsendable): MessageUndeliverableError {
  const ids = messages.map(({ options: { messageId } }) => uuid(messageId!));
  return new MessageUndeliverableError(ids, reason, { detail });
}

function blocked(): ServiceError {
  return unavailable('accepts no messages: it is short of memory or disk');
}

/** Writes all messages and resolves once the broker has confirmed each of them. */
function confirmed(channel: ConfirmChannel, messages: readonly Outbound[], isLate: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let [left, hasFailed] = [messages.length, false];
    const fail = (error: unknown): void => {
      hasFailed = true;
      reject(error);
    };
    const confirm = (error: unknown): void => {
      if (error !== null && error !== undefined) fail(failureOf(error));
      else if (--left === 0) resolve();
    };
    const write = async (): Promise<void> => {
      for (const { exchange, routingKey, content, options } of messages) {
        // The batch has failed and is published again.
        if (hasFailed || isLate()) return;
        const mayGoOn = channel.publish(exchange, routingKey, content, options, confirm);
        if (!mayGoOn) await drained(channel);
      }
    };
    write().catch(fail);
  });
}

/** Resolves once the socket accepts more, or the channel is closed, which the next message detects. */
function drained(channel: ConfirmChannel): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      channel.off('drain', end);
      channel.off('close', end);
      resolve();
    };
    channel.once('drain', end);
    channel.once('close', end);
  });
}
