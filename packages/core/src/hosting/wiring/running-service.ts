import type { AccessControl } from '../../access/index.js';
import type { ActivityOptions, Administration } from '../../administration/index.js';
import { Audit } from '../../audit/index.js';
import { detached } from '../../background/index.js';
import type { Dispatcher, LocalDispatcher, NamedReceptor } from '../../dispatch/index.js';
import { ServiceError } from '../../errors/index.js';
import type { HealthPipeline } from '../../health/index.js';
import type { EraseResult } from '../../operations/index.js';
import {
  totalOf,
  type LiveModels,
  type PerspectiveLens,
  type PerspectiveQuery,
  type RebuildOptions,
  type RebuildResult,
} from '../../perspectives/index.js';
import { after } from './after.js';
import { GuardedLog, type EventStore } from '../../storage/index.js';
import type { FailedCommands, SystemEventEmitter } from '../../system-events/index.js';
import { DeadLetters } from '../../transport/index.js';
import { DatabaseRouter } from '../databases/database-router.js';
import { placing } from '../databases/placing.js';
import { RoutedDispatcher } from '../databases/routed-dispatcher.js';
import { RoutedEmitter } from '../databases/routed-emitter.js';
import { requireIsolation } from '../databases/tenant-databases.js';
import type { Registrations } from '../registrations.js';
import type { IdempotentRequests } from '../requests/idempotent-requests.js';
import type { ReadyEndpoint, ServiceRegistry } from '../service-registry.js';
import {
  addReceptors,
  behaviorsOf,
  dispatcherOf,
  endpointsOf,
  failedCommandsOf,
  idempotentRequestsOf,
  watchedDispatchers,
} from './commands.js';
import type { ReceivingParts } from './database-messages.js';
import { declaredPerspectives, PerspectiveReading } from './declared-perspectives.js';
import { declaredReactions } from './declared-reactions.js';
import { authorizeErasure, combined, type EraseOptions } from './erasure.js';
import { databaseFoundations, serviceFoundation, type Foundation, type ServiceFoundation } from './foundation.js';
import { admissionOf, inboxOf } from './other-hosts.js';
import { openerOf, prepareEventsOf } from './personal-data.js';
import { schedulingOf, type SchedulingParts } from './scheduling.js';
import { RunningDatabase } from './running-database.js';
import { runningTransportOf, type RunningTransport } from './running-transport.js';
import { accessOf, requireNoPermissions } from './service-access.js';
import { administrationOf } from './service-administration.js';
import { ServiceEventStore } from './service-event-store.js';
import { healthOf } from './service-health.js';
import { reportUnregistered } from './unregistered-parts.js';
import { untilAborted } from './until-aborted.js';

/** A running service: connects everything that was registered. */
export class RunningService {
  readonly eventStore: EventStore;
  readonly dispatcher: Dispatcher;
  readonly emitter: SystemEventEmitter;
  readonly access: AccessControl;
  readonly audit: Audit;
  readonly administration: Administration;
  readonly endpoints: readonly ReadyEndpoint[];
  readonly health: HealthPipeline;
  readonly idempotentRequests: IdempotentRequests;
  readonly deadLetters: DeadLetters;
  readonly foundation: ServiceFoundation;
  /** Resolves when the databases are open, their schemas are current, and messages from other hosts are received. */
  readonly ready: Promise<void>;
  readonly #router: DatabaseRouter<Foundation>;
  readonly #databases: ReadonlyMap<Foundation, RunningDatabase>;
  readonly #reading: PerspectiveReading;
  readonly #transport: RunningTransport | null;
  /** Absent if error events are disabled. */
  readonly #failedCommands: FailedCommands | undefined;
  readonly #stopping = new AbortController();
  #draining = false;

  /** In the order of the architecture: each part uses only earlier ones. */
  constructor(registry: ServiceRegistry<never>, services: object, registrations: Registrations) {
    const foundation = serviceFoundation(registry, services, registrations);
    this.foundation = foundation;
    const router = new DatabaseRouter(databaseFoundations(foundation), registrations.databases);
    this.#router = router;
    this.emitter = router.isSingle ? router.fallback.emitter : new RoutedEmitter(router);
    this.access = accessOf(foundation, this.emitter);
    if (!router.isSingle) requireIsolation(this.access);

    const logs = new Map(router.all.map((database) => [database, new GuardedLog(database.log, this.access)]));
    this.eventStore = new ServiceEventStore((tenant) => this.#of(logs, tenant), foundation.decorate);
    this.audit = new Audit(this.access, (tenant) =>
      after(router.of(this.access.actor, tenant), ({ storage }) => storage),
    );
    const running = (database: Foundation): RunningDatabase => this.#databases.get(database)!;
    this.#failedCommands = failedCommandsOf(foundation, this.emitter);
    const receptors = new Map<unknown, NamedReceptor>();
    const dispatchers = this.#dispatchers(receptors, logs);
    const watched = watchedDispatchers(dispatchers);
    this.dispatcher = router.isSingle
      ? watched.get(router.fallback)!
      : new RoutedDispatcher((tenant) => this.#of(watched, tenant));
    const host = { dispatcher: this.dispatcher, emitter: this.emitter };
    addReceptors(foundation, host, receptors);
    // With several databases, the key of a received command is not known before its tenant is.
    const open = openerOf(router.isSingle ? router.fallback.personal : null);
    const inbox = inboxOf(foundation, this.dispatcher, receptors, open);
    const admission = admissionOf(router.fallback);
    this.endpoints = endpointsOf(foundation, host);
    this.idempotentRequests = idempotentRequestsOf(foundation, router, this.access);

    const perspectives = declaredPerspectives(foundation, host, this.access);
    const reactions = declaredReactions(foundation, host);
    const receiving = { marksTenants: this.access.marksTenants, admission, inbox, place: placing(router) };
    const scheduling = schedulingOf(router, watched, receptors);
    this.deadLetters = this.#deadLetters(receiving, scheduling, null);
    this.#databases = new Map(
      router.all.map((database) => [
        database,
        new RunningDatabase(database, {
          access: this.access,
          perspectives,
          reactions,
          dispatcher: dispatchers.get(database)!,
          receiving,
          scheduling: scheduling.get(database)!,
          deadLetters: this.#deadLetters(receiving, scheduling, database),
          runAsHost: (action) => detached(() => this.access.runAsHost(() => router.runIn(database, action))),
        }),
      ]),
    );
    this.#reading = new PerspectiveReading(perspectives, this.access, (name, actor, tenant) =>
      after(router.of(actor, tenant), (database) => running(database).perspectives.sourceOf(name)),
    );
    this.#transport = runningTransportOf(foundation, admission, router, this.#databases);
    this.administration = administrationOf(foundation, this, router, running);
    if (this.access.isOpen && !registrations.open)
      requireNoPermissions(this.endpoints, this.queries, registrations.auditQueries);
    this.health = healthOf(foundation, {
      isDraining: () => this.#draining,
      databases: [...this.#databases].map(([database, { perspectives: models, reactions: reacting, seals }]) => ({
        database,
        perspectives: models,
        reactions: reacting,
        seals,
      })),
      runningTransport: this.#transport,
    });

    // What begins here outlives the code that starts the service.
    const beginning = detached(() => this.#begin(foundation.reportOf('subscribe')));
    this.ready = untilAborted(beginning, this.#stopping.signal);
    // A failure also occurs with the first command, or is reported and shown by the check `subscriptions`.
    this.ready.catch(() => {});
  }

  get queries(): readonly PerspectiveQuery[] {
    return this.#reading.queries;
  }

  lens(perspective: unknown): PerspectiveLens<object> {
    return this.#reading.lens(perspective);
  }

  /** Erases a subject in all databases, one after another. */
  async erase(subject: string, options: EraseOptions): Promise<EraseResult> {
    await authorizeErasure(this.access);
    const all: EraseResult[] = [];
    for (const { erasure } of this.#running) all.push(await erasure.erase(subject, options));
    return combined(all);
  }

  /** In all databases at the same time. */
  async rebuild(perspective: unknown, options: RebuildOptions): Promise<RebuildResult> {
    const rebuilds = this.#running.map(({ perspectives }) => perspectives.rebuild(perspective, options));
    return totalOf(await Promise.all(rebuilds));
  }

  runInDatabase<T>(name: string, action: () => T): T {
    return this.#router.runIn(this.#router.named(name), action);
  }

  runInDatabaseOf<T>(tenantId: string, action: () => T): T {
    return this.#router.runInOf(tenantId, action);
  }

  get live(): readonly LiveModels[] {
    return this.#running.flatMap(({ perspectives }) => perspectives.live);
  }

  /** Records the commands of this host in each database. */
  recordActivity(options: ActivityOptions): void {
    for (const { activity } of this.#running) activity?.start(options);
  }

  drain(): void {
    this.#draining = true;
  }

  async idle(): Promise<void> {
    await this.ready.catch(() => {});
    // One worker can create work for another, also in another database.
    while (this.#running.some((database) => database.isBusy))
      for (const database of this.#running) await database.idle();
    await this.#each((database) => database.hooksIdle());
  }

  async stop(): Promise<void> {
    this.drain();
    this.#stopping.abort(
      new ServiceError(
        'SVC_SERVICE_STOPPING',
        'The service was stopped before it was ready. Create and start a new one.',
      ),
    );
    // At once, so that no rebuild ends that another host could resume.
    const operations = this.#each((database) => database.stopOperations());
    await Promise.all([operations, this.#each((database) => database.stopMigrations())]);
    await this.access.close();
    await this.#failedCommands?.close();
    await this.#transport?.unsubscribe();
    await Promise.all([this.#each((database) => database.stopWorkers()), this.#transport?.close()]);
    await this.#each((database) => database.close());
  }

  /** The part of the current actor's database. */
  #of<TPart>(parts: ReadonlyMap<Foundation, TPart>, tenant?: string): TPart | Promise<TPart> {
    return after(this.#router.of(this.access.actor, tenant), (database) => parts.get(database)!);
  }

  /** The dispatcher of each database. */
  #dispatchers(
    receptors: ReadonlyMap<unknown, NamedReceptor>,
    logs: ReadonlyMap<Foundation, GuardedLog>,
  ): ReadonlyMap<Foundation, LocalDispatcher> {
    const surroundings = {
      access: this.access,
      failedCommands: this.#failedCommands,
      behaviors: behaviorsOf(this.foundation, this.emitter),
    };
    return new Map(
      [...logs].map(([database, log]) => [database, dispatcherOf(database, receptors, { log, ...surroundings })]),
    );
  }

  /** The dead letters of one database, or of the current actor's. */
  #deadLetters(
    { admission, inbox, place }: ReceivingParts,
    scheduling: ReadonlyMap<Foundation, SchedulingParts>,
    database: Foundation | null,
  ): DeadLetters {
    const router = this.#router;
    return new DeadLetters({
      messages: this.foundation.messages,
      access: this.access,
      admission,
      inbox,
      inboxOf: (log) => scheduling.get(router.all.find((one) => one.log === log)!)!.inbox,
      prepareOf: (log) => prepareEventsOf(router.all.find((one) => one.log === log)!.personal),
      logOf: () => (database === null ? after(router.of(this.access.actor), ({ log }) => log) : database.log),
      logOfTenant: async (tenant) => {
        const misplaced = await place(tenant);
        if (misplaced !== null) throw misplaced;
        return (await router.ofTenant(tenant)).log;
      },
    });
  }

  async #begin(report: (error: unknown) => void): Promise<void> {
    await this.#each((database) => database.open());
    this.#stopping.signal.throwIfAborted();
    await this.#router.confirmFallback();
    await this.#each((database) => database.begin());
    reportUnregistered(this.foundation);
    try {
      await this.#transport?.subscribe();
    } catch (error) {
      // No command would report it.
      if (!this.#stopping.signal.aborted) report(error);
      throw error;
    }
  }

  get #running(): readonly RunningDatabase[] {
    return [...this.#databases.values()];
  }

  async #each(action: (database: RunningDatabase) => Promise<void>): Promise<void> {
    await Promise.all(this.#running.map(action));
  }
}
