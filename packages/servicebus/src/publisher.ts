import type { ServiceBusClient, ServiceBusMessage, ServiceBusMessageBatch, ServiceBusSender } from '@azure/service-bus';
import { ServiceError } from '@svc/core';
import { hostOfInbox, MessageUndeliverableError, type PublishedMessage } from '@svc/core/transport';
import type { Connection } from './connection.js';
import { topicEntity } from './entities.js';
import { fullOf, isAnswer, isMissing, isTooLarge, configurationError, unavailable } from './failures.js';
import { toServiceBus } from './messages.js';
import type { Settings } from './options.js';

/** The Service Bus limits batches to this size, even where single messages may be larger. */
const largestBatch = 1_000_000;
/** The Service Bus limits a property to 32 KB; beyond it, it answers that a retry may help. */
const largestProperty = 32_000;
/** All properties are limited to 64 KB. This leaves room for its own and for the cause of a dead letter. */
const largestProperties = 55_000;
/** How many streams of a partitioned topic are sent concurrently. */
const sendsAtOnce = 8;

/** Sends events to topics and commands to queues, in batches. The Service Bus confirms each batch before the next is sent. */
export class Publisher {
  readonly #connection: Connection;
  readonly #settings: Settings;
  readonly #senders = new Map<string, { readonly client: ServiceBusClient; readonly sender: ServiceBusSender }>();

  constructor(connection: Connection, settings: Settings) {
    this.#connection = connection;
    this.#settings = settings;
  }

  async publish(messages: readonly PublishedMessage[]): Promise<void> {
    const inboxOf = ({ destination }: PublishedMessage): string => hostOfInbox(destination) ?? '';
    for (const [host, ofHost] of groupBy(messages, inboxOf)) {
      if (host === '') await this.#publishEvents(ofHost);
      else await this.#publishCommands(host, ofHost);
    }
  }

  async #publishCommands(hostName: string, commands: readonly PublishedMessage[]): Promise<void> {
    try {
      await this.#publishInOrder(this.#settings.inboxOf(hostName), commands);
    } catch (error) {
      if (!(error instanceof Error) || !isMissing(error.cause)) throw error;
      const ids = commands.map(({ id }) => id);
      throw new MessageUndeliverableError(ids, 'NoInbox', { cause: error.cause });
    }
  }

  async #publishEvents(events: readonly PublishedMessage[]): Promise<void> {
    for (const [topic, ofTopic] of groupBy(events, ({ destination }) => this.#settings.topicOf(destination))) {
      if (this.#settings.partitioned) await this.#publishStreams(topic, ofTopic);
      else await this.#publishInOrder(topic, ofTopic);
    }
  }

  async #publishStreams(topic: string, messages: readonly PublishedMessage[]): Promise<void> {
    const streams = [...groupBy(messages, ({ streamId }) => streamId).values()];
    const sendNext = async (): Promise<void> => {
      for (let stream = streams.pop(); stream !== undefined; stream = streams.pop()) {
        await this.#publishInOrder(topic, stream);
      }
    };
    await Promise.all(Array.from({ length: sendsAtOnce }, sendNext));
  }

  async #publishInOrder(topic: string, messages: readonly PublishedMessage[]): Promise<void> {
    let batch = await this.#emptyBatch(topic);
    for (const original of messages) {
      const message = toServiceBus(original);
      requireRoom(message, original);
      if (batch.tryAddMessage(message)) continue;
      if (batch.count > 0) {
        await this.#send(topic, batch);
        batch = await this.#emptyBatch(topic);
        if (batch.tryAddMessage(message)) continue;
      }
      await this.#sendAlone(topic, message, original);
    }
    if (batch.count > 0) await this.#send(topic, batch);
  }

  #emptyBatch(topic: string): Promise<ServiceBusMessageBatch> {
    return this.#use(topic, async (sender) => {
      const batch = await sender.createMessageBatch();
      return batch.maxSizeInBytes <= largestBatch ? batch : sender.createMessageBatch({ maxSizeInBytes: largestBatch });
    });
  }

  #send(topic: string, batch: ServiceBusMessageBatch): Promise<void> {
    return this.#use(topic, (sender) => sender.sendMessages(batch));
  }

  async #sendAlone(entity: string, message: ServiceBusMessage, { id }: PublishedMessage): Promise<void> {
    try {
      await this.#use(entity, (sender) => sender.sendMessages(message));
    } catch (error) {
      if (!(error instanceof Error) || !isTooLarge(error.cause)) throw error;
      const detail = `It has ${(message.body as Buffer).length} bytes, more than the limit of ${entity}. Premium namespaces allow larger messages.`;
      throw new MessageUndeliverableError(id, 'TooLarge', { cause: error.cause, detail });
    }
  }

  async #use<T>(topic: string, operation: (sender: ServiceBusSender) => Promise<T>): Promise<T> {
    try {
      const result = await this.#connection.within((client) => operation(this.#senderOf(topic, client)));
      this.#connection.answers = true;
      return result;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      this.#connection.answers = isAnswer(error);
      const entity = topicEntity(topic);
      throw (
        configurationError(error, entity) ??
        fullOf(error, entity) ??
        unavailable(`did not accept messages for topic ${topic}`, error)
      );
    }
  }

  #senderOf(topic: string, client: ServiceBusClient): ServiceBusSender {
    let known = this.#senders.get(topic);
    if (known === undefined || known.client !== client) {
      known = { client, sender: client.createSender(topic) };
      this.#senders.set(topic, known);
    }
    return known.sender;
  }
}

function requireRoom({ applicationProperties = {} }: ServiceBusMessage, { id }: PublishedMessage): void {
  let [largest, all] = [0, 0];
  for (const [name, value] of Object.entries(applicationProperties)) {
    const size = Buffer.byteLength(name) + Buffer.byteLength(String(value));
    largest = Math.max(largest, size);
    all += size;
  }
  if (largest <= largestProperty && all <= largestProperties) return;
  const detail = `Scope and metadata are sent as properties: ${all} bytes in total, ${largest} in one of them. The limits are ${largestProperties} and ${largestProperty}.`;
  throw new MessageUndeliverableError(id, 'TooLarge', { detail });
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
