/** A service that cannot read what it has stored before says so when it starts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createService,
  eventVersion,
  newId,
  type MessageClass,
  type Service,
  type ServiceRegistry,
  type Uuid,
} from '@svc/core';
import { isObject, readString, writeJson, type Issues } from '@svc/core/json';
import { archiveEvents, folderArchive, type ArchiveStore } from '@svc/core/storage';
import { collect } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';

class Registered {
  name = '';
}
class Renamed {
  customer = '';
}
@eventVersion(2, { 1: ({ name }) => ({ customer: name }) })
class Upcast {
  customer = '';
}
class Both {
  name = '';
  customer = '';
}
class Left {}

class Register {
  streamId = newId();
  events: object[] = [];
}

/** The same service at different times. `registered` is what it stores as `shop.Registered`; null: it has no such class. */
function registryOf(registered: MessageClass | null): ServiceRegistry<object> {
  const any = (messageClass: MessageClass) => ({
    class: messageClass,
    read: (value: unknown) => Object.assign(new messageClass(), value as object),
    write: writeJson,
  });
  const properties = Object.keys(registered === null ? {} : new registered());
  const read = (value: unknown, issues: Issues): object => {
    if (!isObject(value)) return issues.reject(value, 'an object');
    issues.unknownKeys(value, properties);
    const values = properties.map((property) => [property, readString(value[property], issues, property)]);
    return Object.assign(new registered!(), Object.fromEntries(values));
  };
  return {
    messages: [
      { type: 'shop.Register', kind: 'command', ...any(Register) },
      { type: 'shop.Left', kind: 'event', ...any(Left) },
      ...(registered === null
        ? []
        : [{ type: 'shop.Registered', kind: 'event', class: registered, read, write: writeJson } as const]),
    ],
    receptors: [
      {
        name: 'RegisterReceptor',
        command: Register,
        create: () => ({
          receive({ streamId, events }: Register, context) {
            for (const event of events) context.append(streamId, event);
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
let reported: Error[];
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.remove());
beforeEach(async () => {
  services = [];
  reported = [];
  folder = mkdtempSync(join(tmpdir(), 'svc-reports-'));
  await database.reset();
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  rmSync(folder, { recursive: true });
});

const storages = {
  sqlite: (archive?: ArchiveStore) => sqlite({ file: join(folder, 'data.db'), ...(archive && { archive }) }),
  postgres: (archive?: ArchiveStore) => postgres({ url: database.url, ...(archive && { archive }) }),
};

describe.each(['sqlite', 'postgres'] as const)('a service on %s', (kind) => {
  async function start(registered: MessageClass | null): Promise<Service> {
    const service = createService(registryOf(registered)).useStorage(storages[kind]());
    services.push(service.reportTo((error) => reported.push(error as Error)));
    await service.start().ready();
    return service;
  }
  /** Stores these events in one stream, as an earlier version of the service. */
  async function stored(registered: MessageClass, ...events: object[]): Promise<Uuid> {
    const service = await start(registered);
    const streamId = newId();
    await service.dispatcher.invoke(Object.assign(new Register(), { streamId, events }));
    await service.stop();
    return streamId;
  }
  const ann = Object.assign(new Registered(), { name: 'Ann' });
  const bob = Object.assign(new Registered(), { name: 'Bob' });

  it('reports stored types that no class has any more', async () => {
    await stored(Registered, ann, bob);
    await start(null);
    await expect.poll(() => reported).toMatchObject([{ code: 'SVC_UNKNOWN_MESSAGE' }]);
    expect(reported[0]!.message).toContain('types that no class of this service has: shop.Registered.');
  });

  it('reports a stored event that its class does not accept, once for each type', async () => {
    await stored(Registered, ann, new Left(), bob);
    await start(Renamed);
    await expect.poll(() => reported).toMatchObject([{ code: 'SVC_UNREADABLE_EVENT' }]);
    expect(reported[0]!.message).toMatch(
      /^The log has events that this service cannot read, such as [0-9a-f-]{36}\. Streams with .* Cannot read an event of type shop\.Registered\. The message is not valid: \/customer is required\. .*eventVersion/,
    );
    expect(reported[0]!.stack, 'operators need no stack').toBe(`ServiceError: ${reported[0]!.message}`);
  });

  it('reports properties that a class does not have, which are ignored', async () => {
    const streamId = await stored(Both, Object.assign(new Both(), { name: 'Ann', customer: 'Ann' }));
    const service = await start(Registered);
    const [event] = await collect(service.eventStore.readStream(streamId));
    expect(event!.envelope.payload).toEqual(ann);
    await expect.poll(() => reported).toMatchObject([{ code: 'SVC_STORED_PROPERTY_UNKNOWN' }]);
    expect(reported[0]!.message).toMatch(/ svc ignores these properties\. .*: \/customer is not a known property\./);
  });

  it('reports events of a later version of the service', async () => {
    await stored(Upcast, Object.assign(new Upcast(), { customer: 'Ann' }));
    await start(Renamed);
    await expect.poll(() => reported).toMatchObject([{ code: 'SVC_EVENT_VERSION_UNKNOWN' }]);
    expect(reported[0]!.message).toContain('it has version 2, but this program knows versions up to 1');
  });

  it('reports that it has no archive, once', async () => {
    await stored(Registered, ann, new Left());
    const archive = folderArchive(join(folder, 'archive'));
    const storage = storages[kind](archive);
    expect(await archiveEvents(storage, archive, { before: new Date(Date.now() + 60_000) })).toHaveLength(1);
    await storage.close();
    await start(Registered);
    await expect.poll(() => reported).toMatchObject([{ code: 'SVC_ARCHIVE_MISSING' }]);
  });

  it('reports nothing if it can read all of them', async () => {
    await stored(Registered, ann, new Left());
    const service = await start(Upcast);
    await service.dispatcher.invoke(Object.assign(new Register(), { events: [new Left()] }));
    await service.stop();
    expect(reported).toEqual([]);
  });
});
