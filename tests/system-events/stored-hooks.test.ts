/** Tag hooks on each storage: on PostgreSQL the database can append system events by itself. */
import { newId, type Service, type TaggedMessage } from '@svc/core';
import { expect, it, onTestFinished } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { CacheCleared, PlaceOrder, shop } from './shop.js';

describeStores((stores) => {
  async function started(register: (service: Service) => Service): Promise<Service> {
    const service = register(shop().useStorage((await stores.fresh())())).start();
    onTestFinished(() => service.stop());
    await service.ready();
    return service;
  }

  it("tag hooks run for tagged messages: those of the application's own system events too", async () => {
    const seen: TaggedMessage[] = [];
    const service = await started((registered) =>
      registered
        .addSystemEventAuditing()
        .addTagHook('cache', (message) => void seen.push(message))
        .addTagHook('orders', (message) => void seen.push(message)),
    );
    await service.emitter.emit(Object.assign(new CacheCleared(), { what: 'prices' }));
    await service.idle();
    expect(seen).toMatchObject([{ tag: 'cache', type: 'shop.CacheCleared', fields: { what: 'prices' } }]);
    await service.dispatcher.invoke(Object.assign(new PlaceOrder(), { orderId: newId(), note: 'tea' }));
    await service.idle();
    expect(seen.slice(1)).toMatchObject([{ tag: 'orders', type: 'shop.OrderPlaced', fields: { note: 'tea' } }]);
  });
});
