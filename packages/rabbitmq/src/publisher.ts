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
    const open = await this.#opened();
    try {
      await open.channel.checkExchange('amq.topic');
    } catch (error) {
      throw this.#failure(open, error);
    }
  }

  #opened(): Promise<Open> {
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
    const batch = new Batch(open.channel, messages);
    try {
      await Promise.race([batch.confirmed(), late]);
    } catch (error) {
      throw tooLarge(open, messages) ?? this.#failure(open, error);
    } finally {
      clearTimeout(timer);
      batch.stop();
    }
    requireTaken(open, messages);
  }
}

/** Commands that are for nobody: what is returned comes before its confirmation. */
function requireTaken({ returned }: Open, messages: readonly Outbound[]): void {
  if (returned.size === 0) return;
  const ids = messages.map(({ options: { messageId } }) => messageId).filter((id) => returned.delete(id));
  if (ids.length > 0) throw refused(ids, 'NoInbox');
}

/** The broker ends the channel at a message that is too large; null when it was not that. */
function tooLarge({ lastWords }: Open, messages: readonly Outbound[]): MessageRefusedError | null {
  const [, size, most] =
    /message size (\d+) is larger than (?:configured )?max size (\d+)/.exec(lastWords?.message ?? '') ?? [];
  if (most === undefined) return null;
  const ids = messages.filter(({ content }) => content.length > Number(most)).map(({ options }) => options.messageId);
  return ids.length === 0
    ? null
    : refused(ids, 'TooLarge', `The first has ${size} bytes, and the broker takes ${most}.`);
}

function refused(
  ids: readonly (string | undefined)[],
  reason: MessageRefusedError['reason'],
  detail?: string,
): MessageRefusedError {
  return new MessageRefusedError(
    ids.map((id) => uuid(id!)),
    reason,
    { detail },
  );
}

function blocked(): ServiceError {
  return unavailable('takes no messages: it is short of memory or disk');
}

/** Messages on their way over one channel. */
class Batch {
  readonly #channel: ConfirmChannel;
  readonly #messages: readonly Outbound[];
  #isStopped = false;

  constructor(channel: ConfirmChannel, messages: readonly Outbound[]) {
    this.#channel = channel;
    this.#messages = messages;
  }

  /** Writes all of them; resolves once the broker has confirmed every one. */
  confirmed(): Promise<void> {
    return new Promise((resolve, reject) => {
      let left = this.#messages.length;
      const confirm = (error: unknown): void => {
        if (error !== null && error !== undefined) reject(failureOf(error));
        else if (--left === 0) resolve();
      };
      this.#write(confirm).catch(reject);
    });
  }

  /** Writes no more of them: nobody waits for it, and they are published again. */
  stop(): void {
    this.#isStopped = true;
  }

  async #write(confirm: (error: unknown) => void): Promise<void> {
    for (const { exchange, routingKey, content, options } of this.#messages) {
      if (this.#isStopped) return;
      const mayGoOn = this.#channel.publish(exchange, routingKey, content, options, confirm);
      if (!mayGoOn) await drained(this.#channel);
    }
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
