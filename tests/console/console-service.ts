/** The service of examples/orders on PostgreSQL and RabbitMQ with its console, and with parts that fail on request. */
import type { AddressInfo } from 'node:net';
import { operatorConsole } from '@svc/console';
import { createService, reaction, type Reaction, type Service, type ServiceRegistry, type Uuid } from '@svc/core';
import { unprovenHosts } from '@svc/core/transport';
import { serverLimits, svc } from '@svc/fastify';
import { FeatureFlags } from '@svc/flags';
import { jwtAuthentication, signToken } from '@svc/http';
import { postgres } from '@svc/postgres';
import Fastify, { type FastifyInstance } from 'fastify';
import { registry, type Services } from '../../examples/orders/src/generated/registry.js';
import { temporaryKeyVault } from '../../examples/orders/src/key-vault.js';
import { CancelOrder } from '../../examples/orders/src/orders/cancel-order.js';
import { OrderCancelled } from '../../examples/orders/src/orders/order-events.js';
import { OrderSummaryPerspective } from '../../examples/orders/src/orders/order-summary.perspective.js';
import { WellStockedWarehouse } from '../../examples/orders/src/orders/warehouse.js';
import { TrialPaymentGateway } from '../../examples/orders/src/payments/payment-gateway.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { brokerUrl, TestBroker } from '../rabbitmq/test-broker.js';
import { keepAfterTest } from '../running-services.js';

const [issuer, audience, secret] = ['orders', 'orders', 'a secret of at least 32 characters'];
export const prefix = '/shop/api';

/** What fails, until a test repairs it. */
export interface Faults {
  /** Mails to customers whose order was cancelled. */
  mail: boolean;
  /** The perspective of orders, at cancelled orders. */
  summaries: boolean;
}

export class MailboxUnavailableError extends Error {
  override readonly name = 'MailboxUnavailableError';
}

export class ConsoleService {
  readonly faults: Faults = { mail: true, summaries: false };
  readonly broker: TestBroker;
  readonly #database: TestDatabase;
  readonly #keyVault = temporaryKeyVault();
  #app: FastifyInstance | null = null;
  #service: Service<Services> | null = null;
  #port = 0;

  private constructor(database: TestDatabase, broker: TestBroker) {
    this.#database = database;
    this.broker = broker;
  }

  static async start(): Promise<ConsoleService> {
    const started = new ConsoleService(await createDatabase(), new TestBroker(await brokerUrl()));
    await started.#listen();
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}${prefix}`;
  }

  get service(): Service<Services> {
    return this.#service!;
  }

  /** Ends the host, waits, and starts another one at the same address. */
  async restart(whileDown: () => Promise<void>): Promise<void> {
    await this.#close();
    await whileDown();
    await this.#listen();
    keepAfterTest(this.service);
  }

  async stop(): Promise<void> {
    await this.#close();
    await this.broker.close();
    await this.#database.remove();
  }

  /** As a client of the API does. */
  async post(token: string, path: string, body: unknown): Promise<{ readonly orderId: Uuid }> {
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text === '' ? '{}' : text) as { orderId: Uuid };
  }

  async #listen(): Promise<void> {
    const service = createService<Services>(this.#registry(), {
      flags: await FeatureFlags.allOff(),
      notifier: { notify: () => Promise.resolve() },
      payments: new TrialPaymentGateway(),
      payWithin: { minutes: 30 },
      warehouse: new WellStockedWarehouse(),
    })
      .addService()
      .useStorage(postgres({ url: this.#database.url }))
      .useTransport(this.broker.transport('orders'))
      .acceptCommands({ from: unprovenHosts, commands: [CancelOrder] })
      .useKeyVault(this.#keyVault)
      .addSystemEventAuditing((events) => events.enableAll())
      .addAuditQueries()
      .addServicePerspectives()
      .addServiceReactions()
      .addAuthentication(jwtAuthentication({ issuer, audience, secret }))
      .reportTo(() => {});
    const app = Fastify({ ...serverLimits(), forceCloseConnections: true });
    await app.register(
      svc(service, {
        console: operatorConsole({ title: 'Orders', traceUrl: 'https://traces.example/trace/{traceId}' }),
      }),
      { prefix },
    );
    app.addHook('onClose', () => service.stop());
    await app.listen({ host: '127.0.0.1', port: this.#port });
    await service.ready();
    this.#port = (app.server.address() as AddressInfo).port;
    [this.#app, this.#service] = [app, service];
  }

  async #close(): Promise<void> {
    this.#service?.endWatches();
    await this.#app?.close();
  }

  #registry(): ServiceRegistry<Services> {
    const { faults } = this;
    class MailCustomer implements Reaction<OrderCancelled> {
      react(): void {
        if (faults.mail) throw new MailboxUnavailableError('550 mailbox of the customer unavailable');
      }
    }
    reaction({ name: 'MailCustomer', from: 'now', retry: { attempts: 1 } })(MailCustomer);
    const perspectives = registry.perspectives!.map((descriptor) =>
      descriptor.class === OrderSummaryPerspective
        ? Object.assign({}, descriptor, { create: () => new FailingSummaries(faults) })
        : descriptor,
    );
    const mail = {
      name: 'MailCustomer',
      class: MailCustomer,
      events: [OrderCancelled],
      create: () => new MailCustomer(),
    };
    return { ...registry, perspectives, reactions: [mail] };
  }
}

class FailingSummaries extends OrderSummaryPerspective {
  readonly #faults: Faults;

  constructor(faults: Faults) {
    super();
    this.#faults = faults;
  }

  override apply(...given: Parameters<OrderSummaryPerspective['apply']>): ReturnType<OrderSummaryPerspective['apply']> {
    if (this.#faults.summaries && given[1] instanceof OrderCancelled) throw new Error('no summary of cancelled orders');
    return super.apply(...given);
  }
}

const permissions = {
  clerk: ['orders:read', 'orders:write', 'payments:write'],
  operator: ['system:read', 'system:write', 'tenants:act', 'orders:read'],
  viewer: ['system:read', 'tenants:act'],
  auditor: ['system:read'],
} as const;

/** A token of a user with a role. */
export function tokenOf(user: string, role: keyof typeof permissions, tenant = 'north'): Promise<string> {
  return signToken({ user, tenant, permissions: [...permissions[role]] }, { secret, issuer, audience });
}

export function orderOf(street = '1 Main St'): object {
  return {
    customerId: '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d',
    lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '3.50' }],
    shippingAddress: { street, city: 'Springfield', state: 'IL', zipCode: '62701' },
  };
}
