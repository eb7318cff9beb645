/** A host on a database of its own, whose events reach other hosts later than those that happened after them. */
import { InMemoryStorage, type Service, type Uuid } from '@svc/core';
import type { InProcessTransport, Transport } from '@svc/core/transport';
import { PlaceOrder, shop } from '../system-events/shop.js';

export class OtherDatabase {
  readonly #transport: InProcessTransport;
  readonly #service: Service;
  #release: () => void = () => {};

  /** `transport` is the one of the hosts that receive. */
  constructor(transport: InProcessTransport) {
    this.#transport = transport;
    const released = new Promise<void>((resolve) => (this.#release = resolve));
    const held: Transport = {
      publish: async (messages) => {
        await released;
        await transport.publish(messages);
      },
      subscribe: (interest, receive) => transport.subscribe(interest, receive),
    };
    this.#service = shop().useStorage(new InMemoryStorage()).useTransport(held).start();
  }

  /** Places an order there. It is known here once it is released. */
  async place(orderId: Uuid, note: string): Promise<Uuid> {
    await this.#service.dispatcher.invoke(Object.assign(new PlaceOrder(), { orderId, note }));
    for await (const { envelope } of this.#service.eventStore.readStream(orderId)) return envelope.id;
    throw new Error('The order was not placed.');
  }

  /** Resolves once everything that happened there has been received. */
  async release(): Promise<void> {
    this.#release();
    await this.#service.idle();
    await this.#transport.idle();
  }

  async stop(): Promise<void> {
    this.#release();
    await this.#service.stop();
  }
}
