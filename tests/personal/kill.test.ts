/** A host is killed during an erasure: no customer stays half erased, and a second run, or another host, completes it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@svc/cli';
import { CommandAudited, EventAudited, newId, SubjectErased, type Service, type Uuid } from '@svc/core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createHost, type OrdersHost } from '../../examples/orders/src/host.js';
import { bundledProgram } from '../bundled-program.js';
import { killedDatabases } from '../killed-databases.js';
import { createDatabase } from '../postgres/test-database.js';
import { collect, records } from '../system-events/shop.js';
import { erasureSetup } from './erasure-setup.mjs';

const points = ['destroy', 'remove', 'find', 'rebuild', 'emit'].flatMap((what) =>
  ['before', 'during', 'after'].map((when) => `${when}-${what}`),
);
/** `SVC_TEST_KILLS=all` kills at every point on each database; each takes 5 s. */
const isComplete = process.env['SVC_TEST_KILLS'] === 'all';
const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e6));
const killPoints = isComplete ? points : ['during-destroy', 'before-rebuild', 'after-emit'];
const takeOverPoints = isComplete ? ['after-destroy', 'during-rebuild', 'before-emit'] : ['during-rebuild'];
const program = await bundledProgram(new URL('erasing-host.mjs', import.meta.url));
const name = 'Ada Lovelace';
const shippingAddress = { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' };
const newAddress = { ...shippingAddress, street: '2 Side St' };
const lineItems = [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }];

const databases: Record<string, () => Promise<{ where: string; remove: () => unknown }>> = {
  SQLite: () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-erasure-kills-'));
    return Promise.resolve({ where: join(folder, 'data.db'), remove: () => rmSync(folder, { recursive: true }) });
  },
  PostgreSQL: async () => {
    const { url, remove } = await createDatabase();
    return { where: url, remove };
  },
};

describe.each(killedDatabases(databases, seed))(`on %s (SVC_TEST_SEED=${seed})`, (kind) => {
  let where: string;
  let remove: () => unknown;
  beforeAll(async () => void ({ where, remove } = await databases[kind]!()));
  afterAll(() => remove());

  describe('the other host', () => {
    let other: Other;
    let bob: Customer;
    beforeAll(async () => {
      other = await Other.start(kind, where);
      bob = await other.customer();
    });
    afterAll(() => other.stop());

    it.each(killPoints)('sees no half erased customer after a kill %s, and completes the erasure', async (point) => {
      const ada = await other.customer();
      const killed = await startHost(kind, where, point);
      killed.stdin!.write(`${ada.customerId}\n`);
      await endOf(killed, point);

      // Until then, this host has the key in memory.
      const seen = (): Promise<unknown> => other.seenOf(ada);
      await expect.poll(seen, { timeout: 30_000 }).toBeOneOf([everything, nothing]);
      if (point === 'before-destroy') expect(await seen()).toEqual(everything);
      else if (point !== 'during-destroy') await expect.poll(seen, { timeout: 30_000 }).toEqual(nothing);

      const { service, storage } = other;
      const result = await service.erase(ada.customerId, { reason: 'Request 17' });
      expect(result).toMatchObject({
        events: 2,
        ...(point === 'before-destroy' && { results: 1 }),
        perspectives: ['CustomerOverviewPerspective', 'OrderSummaryPerspective'],
      });
      await service.idle();
      expect(await seen()).toEqual(nothing);
      const keyIds = await storage.subjectKeys.destroy(ada.customerId);
      expect(keyIds).toHaveLength(1);
      expect(await storage.subjectKeys.removeSealed(keyIds)).toEqual({ snapshots: 0, results: 0, deadLetters: 0 });
      const models = await other.storedModels(ada);
      expect(models.map((body) => body!.includes(keyIds[0]!))).toEqual([false, false]);
      const erased = (await records(service, SubjectErased)).filter(({ subject }) => subject === ada.customerId);
      // The host that was killed may have emitted it before.
      expect(erased.length).toBeOneOf(point === 'after-emit' ? [2] : point === 'during-emit' ? [1, 2] : [1]);
      expect(await other.seenOf(bob)).toEqual(everything);
    });
  });

  it.each(takeOverPoints)(
    'another host takes over an erasure that an operator has requested, after a kill %s',
    async (point) => {
      const first = await Other.start(kind, where);
      const ada = await first.customer();
      await first.stop();
      const killed = await startHost(kind, where, point);
      const printed: string[] = [];
      const line = (text: string): void => void printed.push(text);
      const args = ['erase', ada.customerId, '--reason', 'Request 17', '--database', where, '--as', 'olga'];
      const erasing = run(args, { out: line, error: line, progress: () => {} } as never);
      await endOf(killed, point);
      const second = await Other.start(kind, where);
      onTestFinished(() => second.stop());
      expect([await erasing, printed.join('\n')]).toEqual([0, expect.stringContaining(`Erased ${ada.customerId}`)]);
      await second.service.idle();
      expect(await second.seenOf(ada)).toEqual(nothing);
      const erased = (await records(second.service, SubjectErased)).filter(({ subject }) => subject === ada.customerId);
      expect(erased).toMatchObject([{ erasedBy: 'olga', reason: 'Request 17', events: 2 }]);
    },
    60_000,
  );
});

interface Customer {
  readonly customerId: Uuid;
  readonly orderId: Uuid;
}

/** What readers see of a customer: in both models, the event and the audit records. */
const everything = { model: [name, newAddress], customer: name, event: name, audit: [name, name] };
const nothing = { model: [null, null], customer: null, event: null, audit: [null, null] };

/** A host in this process, on the same database. */
class Other {
  readonly storage: ReturnType<typeof erasureSetup>['storage'];
  readonly #host: OrdersHost;

  private constructor(host: OrdersHost, storage: ReturnType<typeof erasureSetup>['storage']) {
    this.#host = host;
    this.storage = storage;
  }

  static async start(kind: string, where: string): Promise<Other> {
    const setup = erasureSetup(kind, where);
    const host = await createHost({}, setup);
    await host.app.ready();
    await host.service.ready();
    return new Other(host, setup.storage);
  }

  get service(): Service {
    return this.#host.service as unknown as Service;
  }

  /** A new customer with an order, and with a result under an idempotency key that has its address. */
  async customer(): Promise<Customer> {
    const customerId = newId();
    const post = async (url: string, payload: object): Promise<{ orderId: Uuid }> => {
      const headers = { 'idempotency-key': newId() };
      const answer = await this.#host.app.inject({ method: 'POST', url, payload, headers });
      expect(answer.statusCode).toBe(200);
      return answer.json();
    };
    const order = { customerId, customerName: name, lineItems, shippingAddress };
    const { orderId } = await post('/orders', order);
    const { street, city, state, zipCode } = newAddress;
    await post('/orders/change-delivery-address', { orderId, label: `${street}, ${city}, ${state} ${zipCode}` });
    await this.service.idle();
    return { customerId, orderId };
  }

  async seenOf({ customerId, orderId }: Customer): Promise<object> {
    const read = async (url: string): Promise<Record<string, unknown>> => (await this.#host.app.inject(url)).json();
    const order = await read(`/orders/${orderId}`);
    const customer = await read(`/customers/${customerId}`);
    const [placed] = await collect(this.service.eventStore.readStream(orderId));
    const event = (await records(this.service, EventAudited)).find((record) => record.originalStreamId === orderId);
    const command = (await records(this.service, CommandAudited)).find(
      ({ commandBody }) => (commandBody as Record<string, unknown>)['customerId'] === customerId,
    );
    const nameIn = (body: unknown): unknown => (body as Record<string, unknown>)['customerName'];
    return {
      model: [order['customerName'], order['shippingAddress']],
      customer: customer['name'],
      event: nameIn(placed!.envelope.payload),
      audit: [nameIn(event!.originalBody), nameIn(command!.commandBody)],
    };
  }

  /** The models of a customer as the database stores them. */
  async storedModels({ customerId, orderId }: Customer): Promise<readonly (string | null)[]> {
    const { perspectives } = this.storage;
    const models = [
      ...(await perspectives.findModels('OrderSummaryPerspective', orderId, 2)),
      ...(await perspectives.findModels('CustomerOverviewPerspective', customerId, 2)),
    ];
    return models.map(({ body }) => body);
  }

  async stop(): Promise<void> {
    await this.#host.app.close();
  }
}

async function startHost(kind: string, where: string, point: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, kind, where, point], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return child;
}

/** Resolves once the host has killed itself. */
async function endOf(child: ChildProcess, point: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect({ point, signal: child.signalCode }).toEqual({ point, signal: 'SIGKILL' });
}
