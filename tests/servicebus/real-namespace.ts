import { ServiceBusAdministrationClient, ServiceBusClient } from '@azure/service-bus';
import { newId } from '@svc/core';
import { type PublishedMessage, type Transport } from '@svc/core/transport';
import type { DeadLetter, IntrusionRoute, TransportBroker } from '@svc/core/testing';
import { serviceBusTransport } from '@svc/servicebus';
import { intrude } from './intrusion.js';

const inboxes = ['sender', 'receiver', 'first'];
const subscriptions = ['sender.events', 'receiver.events', 'first.events', 'second.events', 'second.others'];

/** A topic of its own in a real namespace, with the subscriptions that the cases of the contract use; removed at the end. */
export class RealNamespace implements TransportBroker {
  readonly #connectionString: string;
  readonly #administration: ServiceBusAdministrationClient;
  readonly #topic = `svc-test-${newId()}`;
  readonly #opened: (Transport & { close(): Promise<void> })[] = [];

  constructor(connectionString: string) {
    this.#connectionString = connectionString;
    this.#administration = new ServiceBusAdministrationClient(connectionString);
  }

  async create(): Promise<void> {
    await this.#administration.createTopic(this.#topic);
    for (const name of subscriptions) {
      await this.#administration.createSubscription(this.#topic, name, { requiresSession: true });
    }
    for (const host of inboxes) await this.#administration.createQueue(this.#inboxOf(host), { requiresSession: true });
  }

  readonly #inboxOf = (hostName: string): string => `${this.#topic}-${hostName}`;

  open(hostName: string): Promise<Transport> {
    const connectionString = this.#connectionString;
    const transport = serviceBusTransport({
      connectionString,
      hostName,
      topicOf: () => this.#topic,
      inboxOf: this.#inboxOf,
    });
    this.#opened.push(transport);
    return Promise.resolve(transport);
  }

  async intrude(message: PublishedMessage, route?: IntrusionRoute): Promise<void> {
    await intrude(this.#connectionString, { topic: this.#topic, inboxOf: this.#inboxOf }, message, route);
  }

  async deadLetters(hostName: string, of = 'events'): Promise<readonly DeadLetter[]> {
    const client = new ServiceBusClient(this.#connectionString);
    try {
      const receiver =
        of === 'inbox'
          ? client.createReceiver(this.#inboxOf(hostName), { subQueueType: 'deadLetter' })
          : client.createReceiver(this.#topic, `${hostName}.${of}`, { subQueueType: 'deadLetter' });
      const letters = await receiver.peekMessages(10);
      return letters.map(({ messageId, deadLetterErrorDescription }) => ({
        id: String(messageId),
        cause: String(deadLetterErrorDescription),
      }));
    } finally {
      await client.close();
    }
  }

  async remove(): Promise<void> {
    await Promise.all(this.#opened.map((transport) => transport.close()));
    await this.#administration.deleteTopic(this.#topic);
    for (const host of inboxes) await this.#administration.deleteQueue(this.#inboxOf(host));
  }
}
