import { AccessControl } from '../../access/index.js';
import { type BackgroundWorker } from '../../background/index.js';
import { LocalDispatcher, type Dispatcher, type NamedReceptor } from '../../dispatch/index.js';
import { endpointAccessOf } from '../../endpoints/index.js';
import { ServiceError } from '../../errors/index.js';
import { registry as ownRegistry } from '../../generated/registry.js';
import {
  clockChecks,
  connectivityChecks,
  drainCheck,
  HealthPipeline,
  migrationsCheck,
  perspectivesChecks,
  relationalDbChecks,
  selfCheck,
} from '../../health/index.js';
import { MessageRegistry, newId, type MessageDescriptor, type TransportPublishFilter } from '../../messages/index.js';
import { migrationsOf, type Migrations } from '../../migrations/index.js';
import { deadLetterOperations, OperationWorker, perspectiveOperations } from '../../operations/index.js';
import type { PerspectiveLens, PerspectiveQuery, RebuildOptions, RebuildResult } from '../../perspectives/index.js';
import { ScopeFilters } from '../../security/index.js';
import {
  DatabaseClock,
  EventLog,
  GuardedLog,
  InMemoryStorage,
  notificationsOf,
  type CommitRecord,
  type EventStore,
  type EventStoreDecorator,
  type Storage,
} from '../../storage/index.js';
import {
  AuditingEventStoreDecorator,
  AuditPolicy,
  CombinedTransportFilter,
  FailedCommands,
  NoOpSystemEventEmitter,
  outgoingSystemEvent,
  OutboxSystemEventEmitter,
  SystemEventOptions,
  SystemEventTransportFilter,
  systemNamespace,
  TagHooks,
  type SystemEventEmitter,
} from '../../system-events/index.js';
import {
  ClockLimit,
  CommandInbox,
  DeadLetters,
  PublishingEventStoreDecorator,
  receivedEvents,
  signingTransport,
  systemStreamDelivery,
  systemStreamWorker,
  type CheckedKey,
  type Transport,
} from '../../transport/index.js';
import { Housekeeping } from './housekeeping.js';
import { IdempotentRequests } from '../requests/idempotent-requests.js';
import { migrationEventsTo, noMigrationEvents } from './migration-events.js';
import { addReceptor, requireInbox, requireReceptors } from './receptors.js';
import type { Registrations, ReportingPart } from '../registrations.js';
import { RunningPerspectives } from './running-perspectives.js';
import { RunningTransport } from './running-transport.js';
import { ServiceEventStore } from './service-event-store.js';
import type { HostParts, ReadyEndpoint, ServiceRegistry } from '../service-registry.js';

/** A service that was started: everything that was registered, wired. */
export class RunningService {
  readonly eventStore: EventStore;
  readonly dispatcher: Dispatcher;
  readonly emitter: SystemEventEmitter;
  readonly transportPublishFilter: TransportPublishFilter;
  readonly access: AccessControl;
  readonly endpoints: readonly ReadyEndpoint[];
  readonly health: HealthPipeline;
  readonly idempotentRequests: IdempotentRequests;
  readonly deadLetters: DeadLetters;
  /** Resolves once the storage is open, its schema is what it should be, and messages from other hosts are received. */
  readonly ready: Promise<void>;
  readonly #storage: Storage;
  readonly #migrations: Migrations | null;
  readonly #toSystemStream: BackgroundWorker;
  readonly #transport: RunningTransport | null;
  readonly #perspectives: RunningPerspectives;
  readonly #tagHooks: TagHooks;
  readonly #housekeeping: Housekeeping;
  readonly #clock: DatabaseClock;
  /** Absent where error events are not enabled. */
  readonly #failedCommands: FailedCommands | undefined;
  /** Absent where nobody can ask. */
  readonly #operations: OperationWorker | undefined;
  readonly #stopping = new AbortController();
  /** Resolves once the storage is open and what that changed is emitted. */
  readonly #opening: Promise<void>;
  #draining = false;

  constructor(registry: ServiceRegistry<never>, services: object, registrations: Registrations) {
    const { systemEvents, tagHooks, telemetry } = registrations;
    const { trust } = registrations;
    // Signed innermost, so that what telemetry adds to a message is part of what is signed.
    const plainTransport = registrations.transport && signedBy(trust.signing, registrations.transport);
    const transport = (plainTransport && telemetry?.transport?.(plainTransport)) ?? plainTransport;
    const self = transport?.hostName ?? newId();
    const reportOf = (part: ReportingPart) => (error: unknown) => registrations.report(error, part);
    const messages = allMessages(registry, registrations.foreignCommands);
    const options = systemEvents ?? new SystemEventOptions();
    const plainStorage: Storage = registrations.storage ?? new InMemoryStorage();
    const storage = telemetry?.storage?.(plainStorage) ?? plainStorage;
    const log = new EventLog(storage, messages);
    this.#storage = storage;
    this.#clock = new DatabaseClock(storage);
    this.#housekeeping = new Housekeeping(storage, registrations.receivedMs, reportOf('housekeeping'));
    this.idempotentRequests = new IdempotentRequests(storage, () => this.access.actor, reportOf('idempotency'));
    const ownFilter = new SystemEventTransportFilter(options, messages);
    const { transportFilters } = registrations;
    if (transport === null && transportFilters.length > 0) throw nothingToFilter();
    this.transportPublishFilter =
      transportFilters.length === 0 ? ownFilter : new CombinedTransportFilter(ownFilter, ...transportFilters);
    const filter = transport === null ? null : this.transportPublishFilter;
    const policy = new AuditPolicy(options, messages);
    const decorate = decoratorOf(
      registrations.auditsEvents ? (inner, outbox) => new AuditingEventStoreDecorator(inner, outbox, policy) : null,
      filter === null ? null : (inner, outbox) => new PublishingEventStoreDecorator(inner, outbox, filter),
    );

    this.emitter =
      systemEvents === null
        ? new NoOpSystemEventEmitter()
        : new OutboxSystemEventEmitter(log, messages, policy, options);
    const migrations = migrationsOf(plainStorage);
    const queued = (): void => this.access.runAsHost(() => this.#wakeOutbox());
    const migrationEvents = systemEvents === null ? noMigrationEvents : migrationEventsTo(messages, filter, queued);
    migrations?.emitTo(migrationEvents, reportOf('migrations'));
    this.#migrations = migrations;
    this.access = new AccessControl(registrations.authenticators, this.emitter, {
      tenants: registrations.tenants,
      onAuthenticationFailed: (scheme) => telemetry?.authenticationFailed?.(scheme),
      report: reportOf('access'),
    });
    const guarded = new GuardedLog(log, this.access);
    this.eventStore = new ServiceEventStore(guarded, decorate);

    if (options.errorEventsEnabled) {
      const recordsRejections = options.rejectionEventsEnabled;
      this.#failedCommands = new FailedCommands(this.emitter, {
        recordsRejections,
        report: reportOf('failure-record'),
      });
    }
    const receptors = new Map<unknown, NamedReceptor>();
    const dispatcher = new LocalDispatcher({
      messages,
      log: guarded,
      guard: this.access,
      receptors,
      behaviors: registrations.behaviors.map((known) => (typeof known === 'function' ? known(this.emitter) : known)),
      decorate,
      onFailure: this.#failedCommands?.observe ?? null,
      sendsCommands: transport?.openInbox !== undefined,
      publishFilter: filter,
    });
    this.dispatcher = telemetry?.dispatcher?.(dispatcher, (command) => messages.of(command).type) ?? dispatcher;
    const host = hostParts(this.dispatcher, registrations.emitter || systemEvents !== null ? this.emitter : null);
    const found = registry.receptors.map(({ name, command, resultType = null, create }) => ({
      name,
      command,
      resultType,
      receptor: create(host, services as never),
    }));
    for (const { command, ...receptor } of [...found, ...registrations.receptors]) {
      addReceptor(receptors, command, { ...receptor, commandType: messages.ofClass(command).type });
    }
    requireReceptors(registry.messages, receptors);
    const accepted = trust.commands;
    if (accepted.size > 0) requireInbox(accepted, receptors, transport);
    const inbox = new CommandInbox(messages, this.dispatcher);
    const admission = trust.admission({
      messages,
      filter: this.transportPublishFilter,
      transport,
      self,
      receivedMs: registrations.receivedMs,
      clockLimit: new ClockLimit(registrations.mostAheadMs, () => this.#clock.now()),
    });
    this.deadLetters = new DeadLetters({ log, messages, access: this.access, admission, inbox });
    this.endpoints = registry.endpoints.map(({ create, ...rest }) => {
      const endpoint: ReadyEndpoint = {
        ...rest,
        commandType: messages.ofClass(rest.command).type,
        ...endpointAccessOf(rest.command),
        endpoint: create(host, services as never),
      };
      return telemetry?.endpoint?.(endpoint) ?? endpoint;
    });

    this.#tagHooks = new TagHooks(log, messages, tagHooks, reportOf('tag-hooks'));
    const { watchesSystemStream } = this.#tagHooks;
    this.#toSystemStream = systemStreamWorker(log, {
      isWatched: () => watchesSystemStream || (filter !== null && !options.localOnly),
      deliver: systemStreamDelivery(log, messages, filter),
      appended: () => this.#perspectives.committed(),
      report: reportOf('outbox.system'),
    });
    this.#transport =
      transport === null || filter === null
        ? null
        : new RunningTransport(transport, {
            log,
            messages,
            filter,
            trust,
            admission,
            toEvent: receivedEvents(this.access),
            self,
            systemEvents,
            inbox: accepted.size > 0 ? inbox : null,
            report: registrations.report,
          });
    this.#perspectives = new RunningPerspectives(
      registrations.perspectives ? (registry.perspectives ?? []) : [],
      services,
      host,
      {
        log,
        storage,
        migrations,
        openapi: registry.openapi,
        emitter: this.emitter,
        outgoingOf: options.perspectiveEventsEnabled ? (event) => outgoingSystemEvent(event, messages) : null,
        queued: () => this.#wakeOutbox(),
        access: this.access,
        telemetry,
        report: reportOf('perspectives'),
      },
    );
    if (storage.operations !== undefined) {
      const handlers = new Map([
        ...perspectiveOperations(this.#perspectives),
        ...deadLetterOperations(this.deadLetters),
      ]);
      this.#operations = new OperationWorker(storage.operations, handlers, this.emitter, reportOf('operations'));
    }
    if (this.access.isOpen && !registrations.open) requireNoPermissions(this.endpoints, this.queries);
    this.health = new HealthPipeline(
      [
        selfCheck,
        drainCheck(() => this.#draining),
        ...(migrations === null ? [] : [migrationsCheck(() => migrations.state)]),
        ...relationalDbChecks(storage),
        ...clockChecks(this.#clock),
        ...perspectivesChecks(storage, this.#perspectives, registrations.lagLimits),
        ...(this.#transport === null ? [] : [this.#transport.subscriptionsCheck]),
        ...connectivityChecks(transport, registrations.amqpBrokerHealthChecks),
        ...registrations.healthChecks,
      ],
      { report: reportOf('health') },
    );
    log.onCommit((record) => {
      if (!this.access.isOpen && changesPermissions(record)) this.access.forgetCredentials();
      // Workers and hooks serve everybody: they must not go on as whoever happened to wake them.
      this.access.runAsHost(() => {
        if (record.outgoing.length > 0) this.#wakeOutbox();
        if (record.events.length > 0) this.#perspectives.committed();
        if (tagHooks.size > 0) this.#tagHooks.committed(record);
      });
    });
    notificationsOf(storage).onOutgoing(() => this.#wake());
    this.#opening = this.#open();
    this.ready = untilAborted(this.#begin(reportOf('subscribe')), this.#stopping.signal);
    // Whoever does not wait for it meets the same failure with the first command, or is told by the report and the health of the subscriptions.
    this.ready.catch(() => {});
  }

  get queries(): readonly PerspectiveQuery[] {
    return this.#perspectives.queries;
  }

  lens(perspective: unknown): PerspectiveLens<object> {
    return this.#perspectives.lens(perspective);
  }

  rebuild(perspective: unknown, options: RebuildOptions): Promise<RebuildResult> {
    return this.#perspectives.rebuild(perspective, options);
  }

  drain(): void {
    this.#draining = true;
  }

  async idle(): Promise<void> {
    await this.ready.catch(() => {});
    // What one of them does can be work for another.
    while (this.#workers.some((worker) => worker.isBusy)) for (const worker of this.#workers) await worker.idle();
    await this.#tagHooks.idle();
  }

  async stop(): Promise<void> {
    this.drain();
    this.#stopping.abort(
      new ServiceError('SVC_SERVICE_STOPPING', 'The service was stopped before it was ready. Start another one.'),
    );
    this.#housekeeping.stop();
    if (this.#migrations !== null) {
      // Another host that migrates is not waited for; what this one has migrated is emitted, for which the storage is needed.
      await this.#migrations.stop();
      await this.#opening.catch(() => {});
    }
    await this.access.close();
    await this.#failedCommands?.close();
    await this.#operations?.stop();
    await this.#perspectives.stop();
    await this.#transport?.unsubscribe();
    await Promise.all([this.#toSystemStream.stop(), this.#perspectives.worker?.stop(), this.#transport?.close()]);
    await this.#tagHooks.idle();
    await this.#storage.close();
  }

  async #open(): Promise<void> {
    await this.#storage.open();
    await this.#migrations?.emitted();
  }

  async #begin(report: (error: unknown) => void): Promise<void> {
    await this.#opening;
    this.#stopping.signal.throwIfAborted();
    // Before messages come. A database that does not answer now is asked again by the health check.
    if (this.#clock.isOther) await this.#clock.measure().catch(() => {});
    this.#housekeeping.start();
    this.#operations?.start();
    // What an earlier run of the service left to do.
    this.#wake();
    try {
      await this.#transport?.subscribe();
    } catch (error) {
      // No command would tell of it.
      if (!this.#stopping.signal.aborted) report(error);
      throw error;
    }
  }

  /** There may be something that this process does not know of. */
  #wake(): void {
    this.access.runAsHost(() => {
      for (const worker of this.#workers) worker.wake();
    });
  }

  #wakeOutbox(): void {
    this.#toSystemStream.wake();
    this.#transport?.worker.wake();
  }

  get #workers(): readonly BackgroundWorker[] {
    const workers = [this.#toSystemStream, this.#transport?.worker, this.#perspectives.worker];
    return workers.filter((worker) => worker !== undefined);
  }
}

/** What becomes of `work`, or the reason of the signal when that comes first: nobody waits for it any more then. */
function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

/** Whether somebody may do more or less from now on, by this host's own doing or another's. */
function changesPermissions({ events, outgoing, delivered }: CommitRecord): boolean {
  const isChange = (message: { readonly type: string } | null): boolean => message?.type === 'svc.PermissionChanged';
  // What this host did itself is known since it was queued; its delivery changes nothing more.
  return outgoing.some(({ message }) => isChange(message)) || (delivered === null && events.some(isChange));
}

/** The application's messages, those it sends, and those of the system. */
function allMessages(registry: ServiceRegistry<never>, foreignCommands: readonly MessageDescriptor[]): MessageRegistry {
  const taken = registry.messages.find(({ type }) => type.startsWith(systemNamespace));
  if (taken !== undefined) {
    throw new ServiceError(
      'SVC_RESERVED_TAG',
      `${taken.type} cannot be registered: names that start with ${systemNamespace} are the system's. Choose another namespace.`,
    );
  }
  return new MessageRegistry([...ownRegistry.messages, ...registry.messages, ...foreignCommands]);
}

function signedBy(key: CheckedKey | null, transport: Transport): Transport {
  return key === null ? transport : signingTransport(transport, key);
}

function nothingToFilter(): ServiceError {
  return new ServiceError(
    'SVC_TRANSPORT_MISSING',
    'The service has a transport publish filter, and no transport whose messages it could filter. Call useTransport.',
  );
}

function decoratorOf(...decorators: readonly (EventStoreDecorator | null)[]): EventStoreDecorator | null {
  const present = decorators.filter((decorator) => decorator !== null);
  if (present.length <= 1) return present[0] ?? null;
  return (inner, outbox) => present.reduce((store, decorate) => decorate(store, outbox), inner);
}

function hostParts(dispatcher: Dispatcher, emitter: SystemEventEmitter | null): HostParts {
  return {
    dispatcher,
    get emitter(): SystemEventEmitter {
      if (emitter !== null) return emitter;
      throw new ServiceError(
        'SVC_EMITTER_MISSING',
        'A constructor asks for the system event emitter, and none is registered. Call addService() or addSystemEvents().',
      );
    },
  };
}

function requireNoPermissions(endpoints: readonly ReadyEndpoint[], queries: readonly PerspectiveQuery[]): void {
  const guarded = [...endpoints, ...queries.map(({ name, access }) => ({ name, ...access }))].filter(
    ({ requires, scope }) => requires !== null || scope !== ScopeFilters.None,
  );
  if (guarded.length === 0) return;
  const names = guarded.map(({ name }) => name).join(', ');
  throw new ServiceError(
    'SVC_AUTHENTICATION_MISSING',
    `${names} require a permission or a scope, but no authentication is configured. Call addAuthentication(…), or allowEverybody() for a trial on a loopback address.`,
  );
}
