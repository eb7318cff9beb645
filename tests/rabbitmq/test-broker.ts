import { randomBytes } from 'node:crypto';
import { connect, type ConfirmChannel, type GetMessage, type Options } from 'amqplib';
import { rabbitMqTransport, type RabbitMqOptions } from '@svc/rabbitmq';
import { hostOfInbox, toCloudEvent, type PublishedMessage, type Transport } from '@svc/core/transport';
import type { DeadLetter, IntrusionRoute, TransportBroker } from '@svc/core/testing';
import { inject } from 'vitest';

/** The URL of the broker of this test run. */
export function brokerUrl(): Promise<string> {
  return ask('/');
}

/** The URL of a private broker for one of its users, who is created on first use. `resources`: what the user may use; default: everything. */
export function brokerUserUrl(name: string, resources = '.*'): Promise<string> {
  return ask(`/users/${name}?${new URLSearchParams({ resources }).toString()}`);
}

async function ask(path: string): Promise<string> {
  const response = await fetch(new URL(path, inject('rabbitMq')));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** A part of the broker that nobody else uses, and the transports that were opened on it. */
export class TestBroker implements TransportBroker {
  readonly prefix = `${randomBytes(6).toString('hex')}.`;
  readonly url: string;
  readonly reports: unknown[] = [];
  readonly #transports: Transport[] = [];

  constructor(url: string) {
    this.url = url;
  }

  transport(hostName: string, options: Partial<RabbitMqOptions> = {}): Transport {
    const { url, prefix } = this;
    const report = (error: unknown): void => void this.reports.push(error);
    // A busy machine takes long to connect, and hosts that cannot connect when they start do so later, when tests no longer wait for it.
    const transport = rabbitMqTransport({ url, hostName, prefix, report, connectTimeoutMs: 60_000, ...options });
    this.#transports.push(transport);
    return transport;
  }

  /** The transport of a host that has a broker user of its name. */
  async open(hostName: string): Promise<Transport> {
    return this.transport(hostName, { url: await brokerUserUrl(hostName) });
  }

  /** As a broker user that is no host's: with the attributes of a message, and with any properties that the broker lets through. */
  async intrude(message: PublishedMessage, route?: IntrusionRoute, properties: Options.Publish = {}): Promise<void> {
    const { destination, type } = route ?? message;
    const host = hostOfInbox(destination);
    const exchange = this.prefix + (host === null ? destination : 'svc.inbox');
    await this.publishAs('intruder', message, exchange, host ?? type, properties);
  }

  /** Publishes a message as a broker user, past svc. */
  async publishAs(
    user: string,
    message: PublishedMessage,
    exchange: string,
    routingKey: string,
    properties: Options.Publish = {},
  ): Promise<void> {
    const { attributes, contentType, body } = toCloudEvent(message);
    await this.withChannel(
      async (channel) => {
        const options = { contentType, messageId: message.id, headers: attributes, ...properties };
        await new Promise<void>((resolve, reject) => {
          channel.once('error', reject);
          channel.publish(exchange, routingKey, Buffer.from(body), options, (error: unknown) =>
            error === null ? resolve() : reject(error),
          );
        });
      },
      await brokerUserUrl(user),
    );
  }

  async deadLetters(hostName: string, of = 'events'): Promise<readonly DeadLetter[]> {
    const letters = await this.deadLettersOf(`${this.prefix}${hostName}.${of}`);
    return letters.map(({ properties: { messageId, headers } }) => ({
      id: messageId as string,
      cause: headers?.['svc-dead-letter-cause'] as string,
    }));
  }

  /** What lies among the dead letters of a queue; it stays there. */
  deadLettersOf(queue: string): Promise<readonly GetMessage[]> {
    return this.withChannel(async (channel) => {
      const found: GetMessage[] = [];
      for (;;) {
        const message = await channel.get(`${queue}.dead-letters`);
        if (message === false) return found;
        found.push(message);
      }
    });
  }

  /** A channel on a connection of its own. */
  async withChannel<T>(use: (channel: ConfirmChannel) => Promise<T>, url = this.url): Promise<T> {
    const connection = await connect(url);
    connection.on('error', () => {});
    try {
      const channel = await connection.createConfirmChannel();
      channel.on('error', () => {});
      const result = await use(channel);
      await channel.waitForConfirms();
      return result;
    } finally {
      await connection.close().catch(() => {});
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#transports.map((transport) => transport.close!()));
  }
}
