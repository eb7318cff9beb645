import { expect, it } from 'vitest';
import type { MessageDescriptor } from '../../messages/index.js';
import { InMemoryStorage } from '../../storage/index.js';
import { unprovenHosts, type Subscription, type Transport } from '../../transport/index.js';
import { createService } from '../service.js';
import type { ServiceRegistry } from '../service-registry.js';

class Happened {}

const event: MessageDescriptor = {
  type: 'test.Happened',
  kind: 'event',
  class: Happened,
  read: () => new Happened(),
  write: () => '{}',
};
const registry: ServiceRegistry<object> = {
  messages: [event],
  receptors: [],
  endpoints: [],
  openapi: { paths: {}, components: { schemas: {} } },
};

const stopping = expect.objectContaining({ code: 'SVC_SERVICE_STOPPING' }) as Error;

/** Like a database that waits for a lock: only closing it ends the wait. */
class WaitingStorage extends InMemoryStorage {
  #end: (error: Error) => void = () => {};
  closed = false;

  override open(): Promise<void> {
    return new Promise((_resolve, reject) => (this.#end = reject));
  }

  override close(): Promise<void> {
    this.closed = true;
    this.#end(new Error('closed'));
    return Promise.resolve();
  }
}

it('stops before its storage is open, and rejects ready()', async () => {
  const storage = new WaitingStorage();
  const service = createService(registry).useStorage(storage).start();
  const ready = service.ready();
  await Promise.all([service.stop(), expect(ready).rejects.toThrow(stopping)]);
  expect(storage.closed).toBe(true);
});

it.each(['rejects', 'opens'])(
  'stops while a broker is waited for, whose subscription then %s, and leaves none open',
  async (what) => {
    const closed: string[] = [];
    const subscription: Subscription = {
      isUp: true,
      close: () => Promise.resolve(void closed.push('subscription')),
    };
    let subscribed = 0;
    let answer: () => void = () => {};
    const transport: Transport = {
      publish: () => Promise.resolve(),
      subscribe: () => {
        subscribed++;
        return new Promise((resolve, reject) => {
          answer = () => (what === 'opens' ? resolve(subscription) : reject(new Error('closed')));
        });
      },
      close: () => {
        closed.push('transport');
        answer();
        return Promise.resolve();
      },
    };
    const reports: unknown[] = [];
    const service = createService(registry)
      .useTransport(transport)
      .acceptEvents({ from: unprovenHosts, namespaces: ['test', 'svc'] })
      .addSystemEvents((options) => options.broadcast())
      .reportTo((error) => reports.push(error))
      .start();
    const ready = service.ready();
    await expect.poll(() => subscribed).toBe(1);
    await Promise.all([service.stop(), expect(ready).rejects.toThrow(stopping)]);
    expect(closed).toEqual(what === 'opens' ? ['transport', 'subscription'] : ['transport']);
    expect(reports, 'a stop is no failure').toEqual([]);
    expect(subscribed, 'the second interest is not subscribed').toBe(1);
  },
);
