import type { AccessControl } from '../../access/index.js';
import { type BackgroundWorker } from '../../background/index.js';
import type { Dispatcher, NamedReceptor } from '../../dispatch/index.js';
import { ServiceError } from '../../errors/index.js';
import type { HealthPipeline } from '../../health/index.js';
import type { TransportPublishFilter } from '../../messages/index.js';
import { deadLetterOperations, OperationWorker, perspectiveOperations } from '../../operations/index.js';
import type { PerspectiveLens, PerspectiveQuery, RebuildOptions, RebuildResult } from '../../perspectives/index.js';
import { GuardedLog, notificationsOf, type CommitRecord, type EventStore } from '../../storage/index.js';
import {
  outgoingSystemEvent,
  TagHooks,
  type FailedCommands,
  type SystemEventEmitter,
} from '../../system-events/index.js';
import { systemStreamDelivery, systemStreamWorker, type DeadLetters } from '../../transport/index.js';
import type { Registrations } from '../registrations.js';
import { IdempotentRequests } from '../requests/idempotent-requests.js';
import type { HostParts, ReadyEndpoint, ServiceRegistry } from '../service-registry.js';
import { addReceptors, dispatcherOf, endpointsOf, failedCommandsOf, hostPartsOf } from './commands.js';
import { foundationOf, type Foundation } from './foundation.js';
import { Housekeeping } from './housekeeping.js';
import { migrationEventsTo, noMigrationEvents } from './migration-events.js';
import { admissionOf, deadLettersOf, inboxOf, runningTransportOf } from './other-hosts.js';
import { RunningPerspectives } from './running-perspectives.js';
import type { RunningTransport } from './running-transport.js';
import { accessOf, changesPermissions, requireNoPermissions } from './service-access.js';
import { ServiceEventStore } from './service-event-store.js';
import { healthOf } from './service-health.js';

/** A running service: connects everything that was registered. */
export class RunningService {
  readonly eventStore: EventStore;
  readonly dispatcher: Dispatcher;
  readonly access: AccessControl;
  readonly endpoints: readonly ReadyEndpoint[];
  readonly health: HealthPipeline;
  readonly idempotentRequests: IdempotentRequests;
  readonly deadLetters: DeadLetters;
  /** Resolves when the storage is open, its schema is current, and messages from other hosts are received. */
  readonly ready: Promise<void>;
  readonly #foundation: Foundation;
  readonly #toSystemStream: BackgroundWorker;
  readonly #transport: RunningTransport | null;
  readonly #perspectives: RunningPerspectives;
  readonly #tagHooks: TagHooks;
  readonly #housekeeping: Housekeeping;
  /** Absent if error events are disabled. */
  readonly #failedCommands: FailedCommands | undefined;
  /** Absent if the storage has no operations. */
  readonly #operations: OperationWorker | undefined;
  readonly #stopping = new AbortController();
  /** Resolves when the storage is open and its migration events are emitted. */
  readonly #opening: Promise<void>;
  #draining = false;

  /** In the order of the architecture: each part uses only earlier ones. */
  constructor(registry: ServiceRegistry<never>, services: object, registrations: Registrations) {
    const foundation = foundationOf(registry, services, registrations);
    const { storage, log, messages, reportOf } = foundation;
    this.#foundation = foundation;
    this.access = accessOf(foundation);
    const guarded = new GuardedLog(log, this.access);
    this.eventStore = new ServiceEventStore(guarded, foundation.decorate);

    this.#failedCommands = failedCommandsOf(foundation);
    const receptors = new Map<unknown, NamedReceptor>();
    const surroundings = { log: guarded, access: this.access, failedCommands: this.#failedCommands };
    this.dispatcher = dispatcherOf(foundation, receptors, surroundings);
    const host = hostPartsOf(foundation, this.dispatcher);
    addReceptors(foundation, host, receptors);
    const inbox = inboxOf(foundation, this.dispatcher, receptors);
    const receiving = { access: this.access, admission: admissionOf(foundation), inbox };
    this.endpoints = endpointsOf(foundation, host);
    this.idempotentRequests = new IdempotentRequests(storage, () => this.access.actor, reportOf('idempotency'));

    this.#tagHooks = new TagHooks(log, messages, registrations.tagHooks, reportOf('tag-hooks'));
    this.#toSystemStream = this.#systemStreamWorker();
    this.#transport = runningTransportOf(foundation, receiving);
    this.deadLetters = deadLettersOf(foundation, receiving);
    this.#perspectives = this.#runningPerspectives(host);
    this.#emitMigrations();
    if (this.access.isOpen && !registrations.open) requireNoPermissions(this.endpoints, this.queries);
    this.health = healthOf(foundation, {
      isDraining: () => this.#draining,
      perspectives: this.#perspectives,
      runningTransport: this.#transport,
    });
    this.#operations = operationsOf(foundation, this.#perspectives, this.deadLetters);
    this.#housekeeping = new Housekeeping(storage, registrations.receivedMs, reportOf('housekeeping'));

    log.onCommit((record) => this.#committed(record));
    notificationsOf(storage).onOutgoing(() => this.#wake());
    this.#opening = this.#open();
    this.ready = untilAborted(this.#begin(reportOf('subscribe')), this.#stopping.signal);
    // A failure also occurs with the first command, or is reported and shown by the check `subscriptions`.
    this.ready.catch(() => {});
  }

  get emitter(): SystemEventEmitter {
    return this.#foundation.emitter;
  }

  get transportPublishFilter(): TransportPublishFilter {
    return this.#foundation.publishFilter;
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
    // One worker can create work for another.
    while (this.#workers.some((worker) => worker.isBusy)) for (const worker of this.#workers) await worker.idle();
    await this.#tagHooks.idle();
  }

  async stop(): Promise<void> {
    this.drain();
    this.#stopping.abort(
      new ServiceError(
        'SVC_SERVICE_STOPPING',
        'The service was stopped before it was ready. Create and start a new one.',
      ),
    );
    this.#housekeeping.stop();
    const { migrations, storage } = this.#foundation;
    if (migrations !== null) {
      // Does not wait for a migration of another host; emits the events of its own, which needs the storage.
      await migrations.stop();
      await this.#opening.catch(() => {});
    }
    await this.access.close();
    await this.#failedCommands?.close();
    await this.#operations?.stop();
    await this.#perspectives.stop();
    await this.#transport?.unsubscribe();
    await Promise.all([this.#toSystemStream.stop(), this.#perspectives.worker?.stop(), this.#transport?.close()]);
    await this.#tagHooks.idle();
    await storage.close();
  }

  #systemStreamWorker(): BackgroundWorker {
    const { log, messages, options, transportFilter, reportOf } = this.#foundation;
    const { watchesSystemStream } = this.#tagHooks;
    const isWatched = (): boolean => watchesSystemStream || (transportFilter !== null && !options.localOnly);
    log.appendSystemEventsAtOnceIf(() => !isWatched());
    return systemStreamWorker(log, {
      isWatched,
      deliver: systemStreamDelivery(log, messages, transportFilter),
      appended: () => this.#perspectives.committed(),
      report: reportOf('outbox.system'),
    });
  }

  #runningPerspectives(host: HostParts): RunningPerspectives {
    const { registry, services, registrations, messages, options, reportOf, ...foundation } = this.#foundation;
    const found = registrations.perspectives ? (registry.perspectives ?? []) : [];
    return new RunningPerspectives(found, services, host, {
      log: foundation.log,
      storage: foundation.storage,
      migrations: foundation.migrations,
      openapi: registry.openapi,
      emitter: foundation.emitter,
      outgoingOf: options.perspectiveEventsEnabled ? (event) => outgoingSystemEvent(event, messages) : null,
      queued: () => this.#wakeOutbox(),
      access: this.access,
      telemetry: registrations.telemetry,
      report: reportOf('perspectives'),
    });
  }

  #emitMigrations(): void {
    const { registrations, messages, migrations, transportFilter, reportOf } = this.#foundation;
    const queued = (): void => this.access.runAsHost(() => this.#wakeOutbox());
    const target =
      registrations.systemEvents === null ? noMigrationEvents : migrationEventsTo(messages, transportFilter, queued);
    migrations?.emitTo(target, reportOf('migrations'));
  }

  #committed(record: CommitRecord): void {
    if (!this.access.isOpen && changesPermissions(record)) this.access.forgetCredentials();
    // Workers and hooks must not run as the caller whose request woke them.
    this.access.runAsHost(() => {
      if (record.outgoing.length > 0) {
        if (record.systemAtOnce !== true) this.#toSystemStream.wake();
        this.#transport?.worker.wake();
      }
      if (record.events.length > 0 || record.systemAtOnce === true) this.#perspectives.committed();
      if (this.#foundation.registrations.tagHooks.size > 0) this.#tagHooks.committed(record);
    });
  }

  async #open(): Promise<void> {
    const { storage, migrations } = this.#foundation;
    await storage.open();
    await migrations?.emitted();
  }

  async #begin(report: (error: unknown) => void): Promise<void> {
    await this.#opening;
    this.#stopping.signal.throwIfAborted();
    // Before messages are received. If the database does not respond now, the health check measures again.
    const { clock } = this.#foundation;
    if (clock.isOther) await clock.measure().catch(() => {});
    this.#housekeeping.start();
    this.#operations?.start();
    // Resumes the work of an earlier run of the service.
    this.#wake();
    try {
      await this.#transport?.subscribe();
    } catch (error) {
      // No command would report it.
      if (!this.#stopping.signal.aborted) report(error);
      throw error;
    }
  }

  /** Wakes all workers: other processes may have added work. */
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

/** Settles like `work`, or rejects with the reason of the signal if that aborts first. */
function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

/** Undefined for a storage without operations. */
function operationsOf(
  { storage, emitter, reportOf }: Foundation,
  perspectives: RunningPerspectives,
  deadLetters: DeadLetters,
): OperationWorker | undefined {
  if (storage.operations === undefined) return undefined;
  const handlers = new Map([...perspectiveOperations(perspectives), ...deadLetterOperations(deadLetters)]);
  return new OperationWorker(storage.operations, handlers, emitter, reportOf('operations'));
}
