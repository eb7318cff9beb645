import { Snapshots } from '../../deciders/index.js';
import { ServiceError } from '../../errors/index.js';
import { registry as ownRegistry } from '../../generated/registry.js';
import { MessageRegistry, newId, type MessageDescriptor, type TransportPublishFilter } from '../../messages/index.js';
import { migrationsOf, type Migrations } from '../../migrations/index.js';
import {
  DatabaseClock,
  EventLog,
  InMemoryStorage,
  type EventStoreDecorator,
  type Storage,
} from '../../storage/index.js';
import {
  AuditingEventStoreDecorator,
  AuditPolicy,
  CombinedTransportFilter,
  NoOpSystemEventEmitter,
  OutboxSystemEventEmitter,
  SystemEventOptions,
  SystemEventTransportFilter,
  systemNamespace,
  type SystemEventEmitter,
} from '../../system-events/index.js';
import { PublishingEventStoreDecorator, signingTransport, type Transport } from '../../transport/index.js';
import type { Registrations, ReportingPart } from '../registrations.js';
import type { ServiceRegistry } from '../service-registry.js';
import { personalData, type PersonalData } from './personal-data.js';
import { OutageReports } from './outage-reports.js';

/** What all parts of a running service share: messages, transport, and how events are published and audited. */
export interface ServiceFoundation {
  readonly registry: ServiceRegistry<never>;
  /** The arguments for the constructors of receptors and endpoints. */
  readonly services: object;
  readonly registrations: Registrations;
  /** The application's messages, those it sends, and those of the system. */
  readonly messages: MessageRegistry;
  readonly transport: Transport | null;
  /** The name of this host in messages. */
  readonly self: string;
  /** The options of system events; the defaults if system events are disabled. */
  readonly options: SystemEventOptions;
  readonly publishFilter: TransportPublishFilter;
  /** The transport publish filter; null without a transport. */
  readonly transportFilter: TransportPublishFilter | null;
  /** Audits and publishes appended events; null if neither is needed. */
  readonly decorate: EventStoreDecorator | null;
  readonly policy: AuditPolicy;
  readonly reportOf: (part: ReportingPart) => (error: unknown) => void;
}

/** What the parts that work with one database share. */
export interface Foundation extends ServiceFoundation {
  /** The name of the database; '' if the service has only one. */
  readonly name: string;
  readonly storage: Storage;
  /** The keys of subjects; null: the service has no personal data. */
  readonly personal: PersonalData | null;
  /** Keeps the parts from reporting one outage of the database many times. */
  readonly outages: OutageReports;
  readonly migrations: Migrations | null;
  readonly log: EventLog;
  readonly clock: DatabaseClock;
  /** The snapshots of deciders; null if the storage has none. */
  readonly snapshots: Snapshots | null;
  /** Emits system events to the system stream of this database. */
  readonly emitter: SystemEventEmitter;
}

export function serviceFoundation(
  registry: ServiceRegistry<never>,
  services: object,
  registrations: Registrations,
): ServiceFoundation {
  const self = registrations.transport?.hostName ?? newId();
  const transport = transportOf(registrations, self);
  const messages = messagesOf(registry, registrations.foreignMessages);
  const options = registrations.systemEvents ?? new SystemEventOptions();
  const policy = new AuditPolicy(options, messages);
  const publishFilter = publishFilterOf(registrations, options, messages);
  const transportFilter = transport === null ? null : publishFilter;
  const reportOf: ServiceFoundation['reportOf'] = (part) => (error) =>
    (registrations.report ?? registrations.defaultReport)(error, part);
  registrations.transport?.reportTo?.(reportOf('transport'));
  return {
    registry,
    services,
    registrations,
    messages,
    transport,
    self,
    options,
    publishFilter,
    transportFilter,
    decorate: decoratorOf(registrations.auditsEvents ? policy : null, transportFilter),
    policy,
    reportOf,
  };
}

/** The foundations of the databases of a service: one, or one for each name. */
export function databaseFoundations(service: ServiceFoundation): readonly Foundation[] {
  const { databases, storage } = service.registrations;
  if (databases === null) return [databaseFoundation(service, '', storage ?? new InMemoryStorage())];
  return Object.entries(databases.databases).map(([name, own]) => databaseFoundation(service, name, own));
}

function databaseFoundation(service: ServiceFoundation, name: string, plainStorage: Storage): Foundation {
  const { registrations, messages, policy, options } = service;
  const watched = registrations.telemetry?.storage?.(plainStorage) ?? plainStorage;
  const personal = personalData(service, watched);
  const storage = personal?.storage ?? watched;
  const log = new EventLog(storage, messages);
  const outages = new OutageReports(plainStorage.connection);
  const reportOf: Foundation['reportOf'] = (part) => outages.through(service.reportOf(part));
  return {
    ...service,
    reportOf,
    outages,
    name,
    storage,
    personal,
    migrations: migrationsOf(plainStorage),
    log,
    clock: new DatabaseClock(storage),
    snapshots: storage.snapshots === undefined ? null : new Snapshots(storage.snapshots, reportOf('snapshots')),
    emitter:
      registrations.systemEvents === null
        ? new NoOpSystemEventEmitter()
        : new OutboxSystemEventEmitter(log, messages, policy, options),
  };
}

/** Signing is the innermost wrapper, so that the signature covers what telemetry adds to a message. */
function transportOf({ transport, trust, telemetry }: Registrations, self: string): Transport | null {
  if (transport === null) return null;
  const signing = trust.signing === null ? transport : signingTransport(transport, trust.signing);
  return telemetry?.transport?.(signing, self) ?? signing;
}

function messagesOf(registry: ServiceRegistry<never>, foreignMessages: readonly MessageDescriptor[]): MessageRegistry {
  const reserved = registry.messages.find(({ type }) => type.startsWith(systemNamespace));
  if (reserved !== undefined) {
    throw new ServiceError(
      'SVC_RESERVED_TAG',
      `${reserved.type} cannot be registered: names that start with ${systemNamespace} are reserved for svc. Choose another namespace.`,
    );
  }
  return new MessageRegistry([...ownRegistry.messages, ...registry.messages, ...foreignMessages]);
}

function publishFilterOf(
  { transport, transportFilters }: Registrations,
  options: SystemEventOptions,
  messages: MessageRegistry,
): TransportPublishFilter {
  const ofSystemEvents = new SystemEventTransportFilter(options, messages);
  if (transportFilters.length === 0) return ofSystemEvents;
  if (transport === null) {
    throw new ServiceError(
      'SVC_TRANSPORT_MISSING',
      'The service has a transport publish filter but no transport. Call useTransport.',
    );
  }
  return new CombinedTransportFilter(ofSystemEvents, ...transportFilters);
}

function decoratorOf(
  audited: AuditPolicy | null,
  published: TransportPublishFilter | null,
): EventStoreDecorator | null {
  const decorators: EventStoreDecorator[] = [];
  if (audited !== null) decorators.push((inner, outbox) => new AuditingEventStoreDecorator(inner, outbox, audited));
  if (published !== null)
    decorators.push((inner, outbox) => new PublishingEventStoreDecorator(inner, outbox, published));
  if (decorators.length <= 1) return decorators[0] ?? null;
  return (inner, outbox) => decorators.reduce((store, decorate) => decorate(store, outbox), inner);
}
