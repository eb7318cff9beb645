import { hostOfInbox } from '@svc/core/transport';
import type {
  Interest,
  PublishedMessage,
  ReceiveCommand,
  ReceiveMessages,
  Subscription,
  Transport,
  TransportConnectivity,
  TransportDescription,
} from '@svc/core/transport';
import { Connection } from './connection.js';
import { connectivity } from './connectivity.js';
import { describe } from './describe.js';
import { queueSource, subscriptionSource } from './entities.js';
import { closed } from './failures.js';
import { InboxSubscription } from './inbox-subscription.js';
import { InterestSubscription } from './interest-subscription.js';
import { settingsOf, subscriptionName, type ServiceBusOptions, type Settings } from './options.js';
import { Publisher } from './publisher.js';
import { SessionListener } from './session-listener.js';

/**
 * Carries messages between hosts over Azure Service Bus. Topics, subscriptions and queues must exist: the transport reports missing ones
 * and creates none.
 */
export function serviceBusTransport(options: ServiceBusOptions): Transport & { close(): Promise<void> } {
  return new ServiceBusTransport(options);
}

class ServiceBusTransport implements Transport {
  readonly hostName: string;
  readonly systemName = 'servicebus';
  readonly description: TransportDescription;
  readonly connectivity: TransportConnectivity;
  readonly #settings: Settings;
  readonly #connection: Connection;
  readonly #publisher: Publisher;
  readonly #subscriptions = new Set<Subscription>();
  /** Topics that were sent to or received from. Inboxes of other hosts are checked by those hosts. */
  readonly #entities = new Set<string>();

  constructor(options: ServiceBusOptions) {
    this.#settings = settingsOf(options);
    this.hostName = this.#settings.hostName;
    this.description = describe(this.#settings);
    this.#connection = new Connection(options, this.#settings);
    this.#publisher = new Publisher(this.#connection, this.#settings);
    this.connectivity = connectivity(this.#connection, () => this.#entities.values().next().value);
  }

  async publish(messages: readonly PublishedMessage[]): Promise<void> {
    if (this.#connection.isClosed) throw closed();
    for (const { destination } of messages) {
      if (hostOfInbox(destination) === null) this.#entities.add(this.#settings.topicOf(destination));
    }
    await this.#publisher.publish(messages);
  }

  async subscribe(interest: Interest, receive: ReceiveMessages): Promise<Subscription> {
    if (this.#connection.isClosed) throw closed();
    const name = subscriptionName(this.hostName, interest.name);
    const topics = new Set(interest.topics.map(({ topic }) => this.#settings.topicOf(topic)));
    for (const topic of topics) this.#entities.add(topic);
    const subscription = new InterestSubscription(interest, receive, this.#settings);
    const listeners = [...topics].map(
      (topic) =>
        new SessionListener(subscriptionSource(topic, name), this.#connection, this.#settings, (incoming) =>
          subscription.take(incoming, topic),
        ),
    );
    await subscription.open(listeners);
    return await this.#track(subscription);
  }

  async openInbox(receive: ReceiveCommand): Promise<Subscription> {
    if (this.#connection.isClosed) throw closed();
    const subscription = new InboxSubscription(receive, this.#settings);
    const queue = this.#settings.inboxOf(this.hostName);
    this.#entities.add(queue);
    const settings = { ...this.#settings, maxConcurrentSessions: this.#settings.commandsAtOnce };
    await subscription.open(
      new SessionListener(queueSource(queue), this.#connection, settings, (incoming) => subscription.take(incoming)),
    );
    return await this.#track(subscription);
  }

  async #track(subscription: Subscription): Promise<Subscription> {
    // The transport was closed while this waited for the Service Bus: without this, the new subscription would never be closed.
    if (this.#connection.isClosed) {
      await subscription.close();
      throw closed();
    }
    this.#subscriptions.add(subscription);
    return subscription;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()));
    await this.#connection.close();
  }
}
