import { randomBytes } from 'node:crypto';
import { connect, type ConfirmChannel, type GetMessage } from 'amqplib';
import { rabbitMqTransport, type RabbitMqOptions } from '@svc/rabbitmq';
import type { Transport } from '@svc/core';
import type { DeadLetter, TransportBroker } from '@svc/core/testing';
import { inject } from 'vitest';

/** The URL of the broker of this test run. */
export async function brokerUrl(): Promise<string> {
  const response = await fetch(inject('rabbitMq'));
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
    const transport = rabbitMqTransport({ url, hostName, prefix, report, ...options });
    this.#transports.push(transport);
    return transport;
  }

  open(hostName: string): Promise<Transport> {
    return Promise.resolve(this.transport(hostName));
  }

  async deadLetters(hostName: string): Promise<readonly DeadLetter[]> {
    const letters = await this.deadLettersOf(`${this.prefix}${hostName}.events`);
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
  async withChannel<T>(use: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
    const connection = await connect(this.url);
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
