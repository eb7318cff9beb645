/** Hosts of two versions share a database, and the earlier one processes events that it cannot read: the later one catches up by itself. */
import {
  createService,
  eventVersion,
  newId,
  reaction,
  type MessageClass,
  type Perspective,
  type Reaction,
  type Service,
  type Uuid,
} from '@svc/core';
import { writeJson } from '@svc/core/json';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../deploy/wait-for.js';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { described } from '../perspectives/perspective-shop.js';

const databases = useDatabases();

class First {
  name = '';
}
@eventVersion(2, { 1: ({ name }) => ({ customer: name }) })
class Second {
  customer = '';
}

class Customers implements Perspective<{ name: string }, First & Second> {
  apply(_model: { name: string } | null, { name, customer }: First & Second): { name: string } {
    return { name: customer ?? name };
  }
}

const welcomed: string[] = [];
class Welcome implements Reaction<First & Second> {
  react({ name, customer }: First & Second): void {
    welcomed.push(customer ?? name);
  }
}
reaction({ from: 'beginning', retry: { longestDelayMs: 50 } })(Welcome);

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  let database: TrialDatabase;
  const services: Service[] = [];
  beforeEach(async () => {
    welcomed.length = 0;
    database = await databases[kind]!();
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.stop()));
    await database.remove();
  });

  async function start(registered: MessageClass): Promise<Service> {
    const read = (value: unknown): object => Object.assign(new registered(), value);
    const event = { type: 'shop.Registered', kind: 'event', class: registered, read, write: writeJson } as const;
    const service = createService({
      messages: [event],
      receptors: [],
      endpoints: [],
      perspectives: [described(Customers, [registered])],
      reactions: [{ name: 'Welcome', class: Welcome, events: [registered], create: () => new Welcome() }],
      openapi: { paths: {}, components: { schemas: {} } },
    })
      .useStorage(database.storage())
      .addServicePerspectives()
      .addServiceReactions()
      .reportTo(() => {});
    services.push(service);
    await service.start().ready();
    return service;
  }
  async function store(streamId: Uuid, body: object, metadata: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const storage = database.storage();
    await storage.open?.();
    const event = pendingRecord(streamId, { type: 'shop.Registered', body: JSON.stringify(body), metadata });
    await storage.commit(commitRecord({ events: [event] }));
    await storage.close?.();
  }

  it('resumes streams of perspectives and reactions when a host of the later version takes over', async () => {
    const [ann, bob] = [newId(), newId()];
    const earlier = await start(First);
    await store(ann, { name: 'Ann' });
    await store(bob, { customer: 'Bob' }, { schemaVersion: 2 });
    const perspectives = database.storage().perspectives;
    const stopped = async (): Promise<unknown[]> =>
      (await perspectives.readStopped('Customers')).map(({ streamId, errorName }) => [streamId, errorName]);
    await expect.poll(stopped).toEqual([[bob, 'SVC_EVENT_VERSION_UNKNOWN']]);
    await expect.poll(() => welcomed).toEqual(['Ann']);
    await earlier.stop();
    expect(await stopped()).toHaveLength(1);

    const later = await start(Second);
    await waitFor(async () => (await later.lens(Customers).find(bob))?.name === 'Bob', 'the model is there');
    await expect.poll(stopped).toEqual([]);
    await expect.poll(() => welcomed).toEqual(['Ann', 'Bob']);
    expect((await later.lens(Customers).find(ann))?.name).toBe('Ann');
  });
});
