import { uuid, type ServiceError } from '@svc/core';
import { MessageRefusedError } from '@svc/core/transport';
import type { ConfirmChannel, Message, Options } from 'amqplib';
import type { Connection } from './connect.js';
import { failureOf, hasEnded, unavailable } from './failures.js';
import type { Link } from './link.js';
import { unsendableOf, type Unsendable } from './sendable.js';
import { declareExchange, type ExchangeType } from './topology.js';

/** A message on its way to an exchange. */
export interface Outbound {
  readonly exchange: string;
  readonly exchangeType: ExchangeType;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly options: Options.Publish;
}

/** A channel, for as long as it is of use. */
interface Open {
  readonly connection: Connection;
  readonly channel: ConfirmChannel;
  /** Exchanges that are known to be there. */
  readonly exchanges: Set<string>;
  /** The ids of mandatory messages that the broker has confirmed, and that no queue has taken. */
  readonly returned: Set<unknown>;
  /** It is of no use any more. */
  readonly ended: () => void;
  /** The last words of the broker; null while there are none. */
  lastWords: Error | null;
}

/** Publishes batches: all messages at once, and then waits for the broker to confirm every one of them. */
export class Publisher {
  readonly #link: Link;
  readonly #limitMs: number;
  #opening: Promise<Open> | null = null;

  constructor(link: Link, limitMs: number) {
    this.#link = link;
    this.#limitMs = limitMs;
  }

  /** To exchanges, which are made when they are not there. Throws `MessageRefusedError` for messages that are never taken. */
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
    if (unsendable !== null) throw refused(unsendable);
  }

  /** To an exchange that is there. The messages that are never taken, if there are any; whether the others were is not known then. */
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
    // What is written now would lie around here until the broker reads again.
    if (this.#link.isBlocked) return Promise.reject(blocked());
    if (this.#opening === null) {
      // Another one may be open by the time this one says that it has ended.
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
      const open: Open = { connection, channel, exchanges: new Set(), returned: new Set(), ended, lastWords: null };
      channel.on('error', (error: Error) => (open.lastWords = error));
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

  /** The next batch opens another channel when this one has ended. */
  #failure(open: Open, error: unknown): ServiceError {
    if (hasEnded(error)) open.ended();
    return failureOf(open.lastWords ?? error);
  }

  /** What the broker does not answer in time has failed. */
  async #inTime<T>({ connection }: Open, run: (isLate: () => boolean) => Promise<T>): Promise<T> {
    let isLate = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        reject(this.#link.isBlocked ? blocked() : unavailable('did not confirm messages in time'));
        // A broker that is short of memory says so, and will read what it was sent. One that says nothing is gone.
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
    return notTaken(open, messages);
  }
}

/** Commands that are for nobody: what is returned comes before its confirmation. */
function notTaken({ returned }: Open, messages: readonly Outbound[]): Unsendable | null {
  if (returned.size === 0) return null;
  const forNobody = messages.filter(({ options: { messageId } }) => returned.delete(messageId));
  return forNobody.length === 0 ? null : { messages: forNobody, reason: 'NoInbox' };
}

/** The broker ends the channel at a message that is too large; null when it was not that. */
function tooLarge({ lastWords }: Open, messages: readonly Outbound[]): Unsendable | null {
  const [, size, most] =
    /message size (\d+) is larger than (?:configured )?max size (\d+)/.exec(lastWords?.message ?? '') ?? [];
  if (most === undefined) return null;
  const large = messages.filter(({ content }) => content.length > Number(most));
  const detail = `The first has ${size} bytes, and the broker takes ${most}.`;
  return large.length === 0 ? null : { messages: large, reason: 'TooLarge', detail };
}

function refused({ messages, reason, detail }: Unsendable): MessageRefusedError {
  const ids = messages.map(({ options: { messageId } }) => uuid(messageId!));
  return new MessageRefusedError(ids, reason, { detail });
}

function blocked(): ServiceError {
  return unavailable('takes no messages: it is short of memory or disk');
}

/** Writes all of them; resolves once the broker has confirmed every one. */
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
        // Nobody waits for the rest, and it is published again.
        if (hasFailed || isLate()) return;
        const mayGoOn = channel.publish(exchange, routingKey, content, options, confirm);
        if (!mayGoOn) await drained(channel);
      }
    };
    write().catch(fail);
  });
}

/** Resolves once the socket takes more, or the channel is gone, which the next message then meets. */
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
