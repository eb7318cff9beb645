import type {
  ConnectivityResult,
  Interest,
  PublishedMessage,
  ReceiveCommand,
  ReceiveMessages,
  Subscription,
  Transport,
  TransportDescription,
} from '@svc/core/transport';
import { Commands } from './commands.js';
import { connect } from './connect.js';
import { describe } from './describe.js';
import { Consumer, type QueueHandler } from './consumer.js';
import { EventBatches } from './event-batches.js';
import type { HandlerParts } from './handler-parts.js';
import { closed, isMisconfigured } from './failures.js';
import { Link } from './link.js';
import { settingsOf, type RabbitMqOptions, type Settings } from './options.js';
import { Publisher } from './publisher.js';
import { Names } from './topology.js';
import { toOutbound } from './wire.js';

/** Carries events and commands over RabbitMQ: `service.useTransport(rabbitMqTransport({ url, hostName: 'orders' }))`. Connects on first use. */
export function rabbitMqTransport(options: RabbitMqOptions): Transport {
  return new RabbitMqTransport(settingsOf(options));
}

class RabbitMqTransport implements Transport {
  readonly hostName: string;
  readonly systemName = 'rabbitmq';
  readonly description: TransportDescription;
  readonly connectivity = { name: 'amqp_broker', check: () => this.#check() };
  readonly #settings: Settings;
  readonly #names: Names;
  readonly #handlerParts: HandlerParts;
  /** Two connections: a broker short of memory stops reading from the publishing one, but must still receive acknowledgements. */
  readonly #publishing: Link;
  readonly #consuming: Link;
  readonly #publisher: Publisher;
  readonly #consumers = new Set<Consumer>();
  #isClosed = false;

  constructor(settings: Settings) {
    this.hostName = settings.hostName;
    this.#settings = settings;
    this.#names = new Names(settings);
    this.description = describe(this.#names, settings);
    this.#publishing = new Link(() => connect(settings, 'publishing'), settings.report);
    this.#consuming = new Link(() => connect(settings, 'consuming'), settings.report);
    this.#publisher = new Publisher(this.#publishing, settings.publishTimeoutMs);
    this.#handlerParts = { publisher: this.#publisher, names: this.#names, settings };
  }

  reportTo(report: (error: unknown) => void): void {
    this.#settings.reports.useService(report);
  }

  canProve(hostName: string): boolean {
    return this.#settings.users.canProve(hostName);
  }

  async publish(messages: readonly PublishedMessage[]): Promise<void> {
    if (this.#isClosed) throw closed();
    if (messages.length === 0) return;
    const { userId } = this.#settings;
    await this.#publisher.publish(messages.map((message) => toOutbound(message, this.#names, userId)));
  }

  subscribe(interest: Interest, receive: ReceiveMessages): Promise<Subscription> {
    return this.#consume(new EventBatches(this.#handlerParts, interest, receive));
  }

  openInbox(receive: ReceiveCommand): Promise<Subscription> {
    return this.#consume(new Commands(this.#handlerParts, receive));
  }

  async #consume(handler: QueueHandler): Promise<Subscription> {
    if (this.#isClosed) throw closed();
    const [failure] = await Promise.all([this.#consuming.attempt(), this.#publishing.attempt()]);
    if (failure !== null && isMisconfigured(failure)) throw failure;
    // The transport was closed while this waited for the broker: without this, the new consumer would never be closed.
    if (this.#isClosed) throw closed();
    const consumer: Consumer = new Consumer(this.#consuming, handler, {
      report: this.#settings.report,
      closed: () => this.#consumers.delete(consumer),
    });
    this.#consumers.add(consumer);
    const notStarted = await consumer.start();
    if (notStarted !== null && isMisconfigured(notStarted)) {
      await consumer.close();
      throw notStarted;
    }
    return consumer;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const closing = [...this.#consumers].map((consumer) => consumer.close());
    // A consumer that is about to dead-letter a message must not wait for an unreachable broker.
    await this.#publishing.close();
    await Promise.all(closing);
    await this.#consuming.close();
  }

  async #check(): Promise<ConnectivityResult> {
    // A host that accepts nothing connects when it first publishes. Until then it must be able to receive traffic.
    if (!this.#isClosed && !this.#publishing.isUsed && !this.#consuming.isUsed) {
      return { status: 'Degraded', description: 'No message has been sent or received yet.' };
    }
    if (!this.#publishing.isUp || !this.#consuming.isUp) {
      // A host that only publishes has one connection.
      const isUp = this.#publishing.isUp && this.#consumers.size === 0;
      if (!isUp) return { status: 'Unhealthy', description: 'The broker is unreachable.' };
    }
    if (this.#publishing.isBlocked) {
      return { status: 'Degraded', description: 'The broker accepts no messages: it is short of memory or disk.' };
    }
    await this.#publisher.ping();
    return { status: 'Healthy' };
  }
}
