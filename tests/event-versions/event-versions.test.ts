import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createService,
  eventVersion,
  InMemoryStorage,
  newId,
  SystemEventStream,
  type EventAudited,
  type MessageClass,
  type Service,
  type ServiceRegistry,
} from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { InProcessTransport, unprovenHosts, type Transport } from '@svc/core/transport';
import { writeJson } from '@svc/core/json';
import { collect } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';

class First {
  name = '';
}

@eventVersion(2, { 1: ({ name, ...rest }) => ({ ...rest, customer: { name } }) })
class Second {
  customer = { name: '' };
}

@eventVersion(3, {
  1: ({ name, ...rest }) => ({ ...rest, customer: { name } }),
  2: (body) => ({ ...body, tier: 'standard' }),
})
class Third {
  customer = { name: '' };
  tier = '';
}

class Register {
  event: object = {};
  streamId = newId();
}

/** The same service at different times: what it calls `shop.Registered` has another shape each time. */
function registryOf(eventClass: MessageClass): ServiceRegistry<object> {
  const of = (messageClass: MessageClass) => ({
    class: messageClass,
    read: (value: unknown) => Object.assign(new messageClass(), value as object),
    write: writeJson,
  });
  return {
    messages: [
      { type: 'shop.Register', kind: 'command', ...of(Register) },
      { type: 'shop.Registered', kind: 'event', ...of(eventClass) },
    ],
    receptors: [
      {
        name: 'RegisterReceptor',
        command: Register,
        create: () => ({
          receive({ event, streamId }: Register, context) {
            context.append(streamId, Object.assign(new eventClass(), event));
          },
        }),
      },
    ],
    endpoints: [],
    openapi: { paths: {}, components: { schemas: {} } },
  };
}

let database: TestDatabase;
let folder: string;
let services: Service[];
let reported: unknown[];
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.remove());
beforeEach(async () => {
  services = [];
  reported = [];
  folder = mkdtempSync(join(tmpdir(), 'svc-versions-'));
  await database.reset();
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  rmSync(folder, { recursive: true });
});

async function start(storage: Storage, eventClass: MessageClass, transport?: Transport): Promise<Service> {
  const service = createService(registryOf(eventClass))
    .useStorage(storage)
    .addSystemEventAuditing()
    .reportTo((error) => reported.push(error));
  if (transport !== undefined) {
    service.useTransport(transport).acceptEvents({ from: unprovenHosts, namespaces: ['shop'] });
  }
  services.push(service);
  await service.start().ready();
  return service;
}

const streamId = newId();
const register = (service: Service, event: object): Promise<unknown> =>
  service.dispatcher.invoke(Object.assign(new Register(), { event, streamId }));
const payloads = async (service: Service): Promise<object[]> =>
  (await collect(service.eventStore.readStream(streamId))).map(({ envelope }) => envelope.payload);

const shared = new InMemoryStorage();
const storages: Record<string, () => Storage> = {
  memory: () => shared,
  sqlite: () => sqlite({ file: join(folder, 'data.db') }),
  postgres: () => postgres({ url: database.url }),
};

describe.each(Object.keys(storages))('on %s', (kind) => {
  it('upcasts events of every version when it reads them, and does not change stored events', async () => {
    const steps: [MessageClass, object][] = [
      [First, { name: 'Ann' }],
      [Second, { customer: { name: 'Bob' } }],
      [Third, { customer: { name: 'Eve' }, tier: 'gold' }],
    ];
    for (const [eventClass, event] of steps) {
      const service = await start(storages[kind]!(), eventClass);
      await register(service, event);
      await service.idle();
      if (kind !== 'memory') await service.stop();
    }
    const now = await start(storages[kind]!(), Third);
    expect(await payloads(now)).toEqual([
      { customer: { name: 'Ann' }, tier: 'standard' },
      { customer: { name: 'Bob' }, tier: 'standard' },
      { customer: { name: 'Eve' }, tier: 'gold' },
    ]);
    expect((await payloads(now)).every((payload) => payload instanceof Third)).toBe(true);
    const trail = await collect(now.eventStore.readStream(SystemEventStream.streamId));
    const bodies = trail.map(({ envelope }) => envelope.payload as EventAudited);
    expect(bodies.filter((record) => 'originalBody' in record).map(({ originalBody }) => originalBody)).toEqual(
      steps.map(([, event]) => event),
    );
    const metadata = (await collect(now.eventStore.readStream(streamId))).map(({ envelope }) => envelope.metadata);
    expect(metadata, 'version 1 is not noted').toEqual([{}, { schemaVersion: 2 }, { schemaVersion: 3 }]);

    const older = await start(storages[kind]!(), Second);
    await expect(payloads(older)).rejects.toThrow(
      /shop\.Registered: it has version 3, but this program knows versions up to 2/,
    );
    if (kind !== 'memory') await expect.poll(() => reported).toMatchObject([{ code: 'SVC_EVENT_VERSION_UNKNOWN' }]);
  });
});

it('stores earlier versions of other hosts unchanged, and dead-letters later ones', async () => {
  const transport = new InProcessTransport();
  const [old, current, next] = [
    await start(new InMemoryStorage(), First, transport),
    await start(new InMemoryStorage(), Second, transport),
    await start(new InMemoryStorage(), Third, transport),
  ];
  await register(old, { name: 'Ann' });
  await old.idle();
  await transport.idle();
  expect(await payloads(current)).toEqual([{ customer: { name: 'Ann' } }]);
  expect(await payloads(next)).toEqual([{ customer: { name: 'Ann' }, tier: 'standard' }]);
  await register(next, { customer: { name: 'Bob' }, tier: 'gold' });
  await next.idle();
  await transport.idle();
  expect(await payloads(current)).toHaveLength(1);
  expect(await current.deadLetters.list()).toMatchObject([{ cause: 'Unreadable', errorName: 'ServiceError' }]);
});
