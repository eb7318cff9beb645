import {
  createService,
  InMemoryStorage,
  runAsHost,
  type Duration,
  type KeyVault,
  type SealOptions,
  type Service,
  type StreamEvent,
  type TenantDatabases,
} from '@svc/core';
import type { Storage } from '@svc/core/storage';
import type { AcceptedHost, Transport } from '@svc/core/transport';
import {
  Drain,
  health,
  metrics,
  reportToLog,
  serverLimits,
  svc,
  type DrainOptions,
  type OpenApiInfo,
} from '@svc/fastify';
import { operatorConsole } from '@svc/console';
import { FeatureFlags } from '@svc/flags';
import { graphQL } from '@svc/graphql';
import { openTelemetry } from '@svc/telemetry';
import type { Prometheus } from '@svc/telemetry/prometheus';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { addAuditRoute } from './audit/audit-route.js';
import type { Authentication } from './authentication.js';
import { registry, type Services } from './generated/registry.js';
import { temporaryKeyVault } from './key-vault.js';
import { WellStockedWarehouse } from './orders/warehouse.js';
import { addPage } from './page/page-routes.js';
import { ConsoleNotifier } from './payments/notifier.js';
import { TrialPaymentGateway } from './payments/payment-gateway.js';
import { rolesIn, streamOf, tenantOf } from './roles/user-roles.js';

export interface OrdersHost {
  readonly app: FastifyInstance;
  readonly service: Service<Services>;
  /** Takes the host out of service. */
  readonly drain: Drain;
}

export interface HostSetup {
  /** Default: slow or silent clients are disconnected (`serverLimits`). */
  readonly server?: FastifyServerOptions;
  /** Default: every caller may do everything. */
  readonly authentication?: Authentication | null;
  /** Default: in memory. */
  readonly storage?: Storage;
  /** Several databases, by tenant, instead of `storage`. Default: none. */
  readonly databases?: TenantDatabases | null;
  /** Carries events between hosts. Default: none. */
  readonly transport?: Transport | null;
  /** The hosts whose events of this service are accepted from a transport. Default: none. */
  readonly acceptEventsFrom?: readonly AcceptedHost[];
  readonly drain?: DrainOptions;
  /** Serves metrics and instruments the service. Default: neither. */
  readonly prometheus?: Prometheus | null;
  /** A file of feature flags, read again when it changes. Default: none; every flag is off. */
  readonly flags?: string | null;
  /** Starts the checkout, which ships paid orders and cancels those that are not paid within this time. Default: none. */
  readonly payWithin?: Duration | null;
  /** Wraps the keys of customers. Needed with a database. Default, in memory: keys that end with the process. */
  readonly keyVault?: KeyVault;
  /** How long keys of customers stay in memory. Default: 10 s. */
  readonly keysInMemoryMs?: number;
  /** Seals the log. Default: it is not sealed. */
  readonly seals?: SealOptions | null;
}

/** The whole service, ready to listen. */
export async function createHost(services: Partial<Services> = {}, setup: HostSetup = {}): Promise<OrdersHost> {
  const { server = {}, authentication = null, storage = null, drain: draining = {} } = setup;
  const { transport = null, acceptEventsFrom = [], prometheus = null, databases = null, payWithin = null } = setup;
  const { seals = null, keysInMemoryMs } = setup;
  const isInMemory = storage === null && databases === null;
  const keyVault = setup.keyVault ?? (isInMemory ? temporaryKeyVault() : null);
  const app = Fastify({ ...serverLimits(), ...server });
  const flags = setup.flags ? await FeatureFlags.of(setup.flags) : await FeatureFlags.allOff();
  const service = createService(registry, {
    flags,
    notifier: new ConsoleNotifier(),
    payments: new TrialPaymentGateway(),
    payWithin: payWithin ?? { minutes: 30 },
    warehouse: new WellStockedWarehouse(),
    ...services,
  })
    .addService()
    .reportTo(reportToLog(app.log));
  if (databases === null) service.useStorage(storage ?? new InMemoryStorage());
  else service.useDatabases(databases);
  if (keyVault !== null)
    service.useKeyVault(keyVault, { ...(keysInMemoryMs !== undefined && { inMemoryMs: keysInMemoryMs }) });
  service
    .addSystemEventAuditing((events) => events.enableAll())
    .addAuditQueries()
    .addServicePerspectives();
  if (payWithin === null) service.omitServiceReactions();
  else service.addServiceReactions();
  if (seals !== null) service.addSeals(seals);
  if (transport !== null) service.useTransport(transport).addAmqpBrokerHealthChecks();
  if (acceptEventsFrom.length > 0) service.acceptEvents({ from: acceptEventsFrom, namespaces: ['orders'] });
  if (authentication === null) service.allowEverybody();
  else service.addAuthentication(...authentication(rolesOf(service)));

  if (prometheus !== null) service.useTelemetry(openTelemetry({ metrics: [prometheus] }));

  const drain = new Drain(app, service, draining);
  if (prometheus !== null) await app.register(metrics(service, prometheus));
  await app.register(health(service));
  await app.register(svc(service, { openapi, graphql: graphQL(), console: operatorConsole({ title: 'Orders' }) }));
  addAuditRoute(app, service);
  addPage(app);
  app.addHook('onClose', async () => {
    await service.stop();
    await flags.close();
  });
  return { app, service, drain };
}

const openapi: OpenApiInfo = {
  title: 'Orders',
  version: '0.1.0',
  description: 'Takes, pays, changes and returns orders.',
  contact: { name: 'Customer service', email: 'service@orders.example' },
  license: { name: 'MIT', identifier: 'MIT' },
};

/** Authentication runs with the host's rights: the caller is not known yet. */
function rolesOf(service: Service<Services>): Parameters<Authentication>[0] {
  return async ({ tenantId, userId = '' }) => {
    const tenant = tenantOf(tenantId === undefined ? null : { tenantId });
    const streamId = streamOf(tenant, userId);
    const readStream = (): AsyncIterable<StreamEvent> => service.eventStore.readStream(streamId);
    return await rolesIn(runAsHost(() => service.runInDatabaseOf(tenantId ?? '', readStream)));
  };
}
