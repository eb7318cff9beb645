import { MessageRefusedError, uuid, type ServiceError } from '@svc/core';
import type { ConfirmChannel, Message, Options } from 'amqplib';
import type { Connection } from './connect.js';
import { failureOf, hasEnded, unavailable } from './failures.js';
import type { Link } from './link.js';
import { declareExchange, type ExchangeType } from './topology.js';

/** A message on its way to an exchange. */
export interface Outbound {
  readonly exchange: string;
  readonly exchangeType: ExchangeType;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly options: Options.Publish;
}

interface Open {
  readonly connection: Connection;
  readonly channel: ConfirmChannel;
  /** Exchanges that are known to be there. */
  readonly exchanges: Set<string>;
  /** The ids of mandatory messages that the broker has confirmed, and that no queue has taken. */
  readonly returned: Set<unknown>;
}

/** Publishes batches: all messages at once, and then waits for the broker to confirm every one of them. */
export class Publisher {
  readonly #link: Link;
  readonly #limitMs: number;
  #open: Promise<Open> | null = null;

  constructor(link: Link, limitMs: number) {
    this.#link = link;
    this.#limitMs = limitMs;
  }

  /** To exchanges, which are made when they are not there. */
  async publish(messages: readonly Outbound[]): Promise<void> {
    const open = await this.#opened();
    for (const { exchange, exchangeType } of messages) {
      if (!open.exchanges.has(exchange)) await this.#declare(open, exchange, exchangeType);
    }
    await this.#send(open, messages);
  }

  /** To an exchange that is there. */
  async publishTo(messages: readonly Outbound[]): Promise<void> {
    await this.#send(await this.#opened(), messages);
  }

  /** A round trip over the open channel. */
  async ping(): Promise<void> {
    const { channel } = await this.#opened();
    try {
      await channel.checkExchange('amq.topic');
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #opened(): Promise<Open> {
    this.#open ??= this.#openChannel();
    return this.#open;
  }

  async #openChannel(): Promise<Open> {
    let connection: Connection | null = null;
    try {
      connection = await this.#link.connection(this.#limitMs);
      const channel = await connection.createConfirmChannel();
      channel.on('error', () => {});
      channel.once('close', () => (this.#open = null));
      const returned = new Set<unknown>();
      channel.on('return', ({ properties }: Message) => returned.add(properties.messageId));
      return { connection, channel, exchanges: new Set(), returned };
    } catch (error) {
      this.#open = null;
      if (connection !== null && hasEnded(error)) this.#link.drop(connection);
      throw failureOf(error);
    }
  }

  async #declare({ channel, exchanges }: Open, exchange: string, type: ExchangeType): Promise<void> {
    try {
      await declareExchange(channel, exchange, type);
      exchanges.add(exchange);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** The next batch opens another channel when this one has ended. */
  #failure(error: unknown): ServiceError {
    if (hasEnded(error)) this.#open = null;
    return failureOf(error);
  }

  async #send(open: Open, messages: readonly Outbound[]): Promise<void> {
    // What is written now would lie around here until the broker reads again.
    if (this.#link.isBlocked) throw blocked();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(this.#link.isBlocked ? blocked() : unavailable('did not confirm messages in time'));
        // A broker that is short of memory says so, and will read what it was sent. One that says nothing is gone.
        if (!this.#link.isBlocked) this.#link.drop(open.connection);
      }, this.#limitMs);
    });
    try {
      await Promise.race([allConfirmed(open.channel, messages), late]);
    } catch (error) {
      throw this.#failure(error);
    } finally {
      clearTimeout(timer);
    }
    requireTaken(open, messages);
  }
}

/** Commands that are for nobody: what is returned comes before its confirmation. */
function requireTaken({ returned }: Open, messages: readonly Outbound[]): void {
  if (returned.size === 0) return;
  const ids = messages.map(({ options: { messageId } }) => messageId).filter((id) => returned.delete(id));
  if (ids.length > 0)
    throw new MessageRefusedError(
      ids.map((id) => uuid(id!)),
      'NoInbox',
    );
}

function blocked(): ServiceError {
  return unavailable('takes no messages: it is short of memory or disk');
}

function allConfirmed(channel: ConfirmChannel, messages: readonly Outbound[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = messages.length;
    const confirm = (error: unknown): void => {
      if (error !== null && error !== undefined) reject(failureOf(error));
      else if (--left === 0) resolve();
    };
    writeAll(channel, messages, confirm).catch(reject);
  });
}

async function writeAll(
  channel: ConfirmChannel,
  messages: readonly Outbound[],
  confirm: (error: unknown) => void,
): Promise<void> {
  for (const { exchange, routingKey, content, options } of messages) {
    const mayGoOn = channel.publish(exchange, routingKey, content, options, confirm);
    if (!mayGoOn) await drained(channel);
  }
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
