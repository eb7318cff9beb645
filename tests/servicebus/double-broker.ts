import type { PublishedMessage, Transport } from '@svc/core/transport';
import type { DeadLetter, IntrusionRoute, TransportBroker } from '@svc/core/testing';
import { serviceBusTransport, type ServiceBusSettings } from '@svc/servicebus';
import { ServiceBusDouble } from './double/service-bus-double.js';
import { intrude } from './intrusion.js';

export type OpenTransport = Transport & { close(): Promise<void> };

/** The test double with the topic, the subscriptions and the queues that the cases of the contract use, and transports on it. */
export class DoubleBroker implements TransportBroker {
  readonly bus: ServiceBusDouble;
  readonly #opened: OpenTransport[] = [];

  static async start(): Promise<DoubleBroker> {
    return new DoubleBroker(await ServiceBusDouble.start());
  }

  private constructor(bus: ServiceBusDouble) {
    this.bus = bus;
    bus.createTopic('svc');
  }

  open(hostName: string, settings: Partial<ServiceBusSettings> = {}): Promise<OpenTransport> {
    for (const name of [`${hostName}.events`, `${hostName}.others`]) {
      if (this.bus.subscription('svc', name) === undefined) this.bus.createSubscription('svc', name);
    }
    if (this.bus.queue(`${hostName}.inbox`) === undefined) this.bus.createQueue(`${hostName}.inbox`);
    return Promise.resolve(this.connect(hostName, settings));
  }

  /** A transport, without the subscriptions and queues it needs. */
  connect(hostName: string, settings: Partial<ServiceBusSettings> = {}): OpenTransport {
    const transport = serviceBusTransport({ connectionString: this.bus.connectionString, hostName, ...settings });
    this.#opened.push(transport);
    return transport;
  }

  /** With the client of the Service Bus, as anything can that has the right Send. */
  async intrude(message: PublishedMessage, route?: IntrusionRoute): Promise<void> {
    const entities = { topic: 'svc', inboxOf: (host: string) => `${host}.inbox` };
    await intrude(this.bus.connectionString, entities, message, route);
  }

  deadLetters(hostName: string, of = 'events'): Promise<readonly DeadLetter[]> {
    const name = `${hostName}.${of}`;
    const { messages } = (of === 'inbox' ? this.bus.queue(name) : this.bus.subscription('svc', name))!.deadLetters!;
    return Promise.resolve(
      messages.map(({ message }) => ({
        id: String(message['message_id']),
        cause: String((message['application_properties'] as Record<string, unknown>)['DeadLetterErrorDescription']),
      })),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.#opened.map((transport) => transport.close()));
    await this.bus.stop();
  }
}
