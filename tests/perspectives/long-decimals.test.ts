/** Decimals that were stored before they had a limit: events and models with them stay readable, and only callers are bounded. */
import { createService, newId, type Decimal, type Event, type Service } from '@svc/core';
import { isObject, longestDecimal, readDecimal, type Issues } from '@svc/core/json';
import { collect, commitRecord, pendingRecord } from '@svc/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { describeStores, type DurableStorage } from './storages.js';

class Priced implements Event {
  price!: Decimal;
}

interface Tag {
  readonly price: string;
}

class Tags {
  apply(_tag: Tag | null, { price }: Priced): Tag {
    return { price };
  }
}

const readPrice = (value: unknown, issues: Issues): { price: Decimal } =>
  isObject(value) ? { price: readDecimal(value['price'], issues, 'price') } : issues.reject(value, 'an object');

const registry = {
  messages: [
    {
      type: 'shop.Priced',
      kind: 'event' as const,
      class: Priced,
      read: (value: unknown, issues: Issues) => Object.assign(new Priced(), readPrice(value, issues)),
      write: JSON.stringify,
    },
  ],
  receptors: [],
  endpoints: [],
  perspectives: [
    {
      name: 'Tags',
      class: Tags,
      events: [Priced],
      readModel: readPrice,
      writeModel: JSON.stringify,
      create: () => new Tags(),
    },
  ],
  openapi: { paths: {}, components: { schemas: {} } },
};

async function start(storage: DurableStorage): Promise<Service> {
  const service = createService(registry).useStorage(storage).addServicePerspectives().start();
  onTestFinished(() => service.stop());
  await service.ready();
  return service;
}

describeStores((stores) => {
  it('reads events and models whose decimals are longer than callers may send', async () => {
    const open = await stores.fresh();
    const price = `${'9'.repeat(longestDecimal * 5)}.25`;
    const streamId = newId();
    const body = JSON.stringify({ price });
    await open().commit(commitRecord({ events: [pendingRecord(streamId, { type: 'shop.Priced', body })] }));
    const service = await start(open());
    await service.idle();
    const events = await collect(service.eventStore.readStream(streamId));
    expect(events.map(({ envelope }) => (envelope.payload as Priced).price)).toEqual([price]);
    const lens = service.lens(Tags);
    expect(await lens.find(streamId)).toMatchObject({ price });
    expect(await lens.stoppedStreams()).toEqual([]);
    // A rebuild reads everything again.
    await service.rebuildPerspective(Tags);
    expect(await lens.find(streamId)).toMatchObject({ price });
  });
});
