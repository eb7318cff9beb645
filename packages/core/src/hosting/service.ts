import type { AccessControl } from '../access/index.js';
import { requireValidActivity, type ActivityOptions, type Administration } from '../administration/index.js';
import type { Audit, ServedAudit } from '../audit/index.js';
import type { Dispatcher } from '../dispatch/index.js';
import { ServiceError } from '../errors/index.js';
import type { HealthPipeline } from '../health/index.js';
import type { TransportPublishFilter } from '../messages/index.js';
import type { EraseResult } from '../operations/index.js';
import type {
  Perspective,
  PerspectiveLens,
  PerspectiveQuery,
  RebuildOptions,
  RebuildResult,
} from '../perspectives/index.js';
import type { EventStore } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import type { DeadLetters } from '../transport/index.js';
import type { IdempotentRequests } from './requests/idempotent-requests.js';
import type { RegistryWithoutServices } from './registry-without-services.js';
import { ServiceRegistration } from './service-registration.js';
import type { ReadyEndpoint, ServiceRegistry } from './service-registry.js';
import type { Telemetry } from './telemetry.js';
import type { EraseOptions } from './wiring/erasure.js';
import { serviceMessages, type ServiceMessages } from './wiring/service-messages.js';
import { RunningService } from './wiring/running-service.js';

/**
 * Creates a service from the generated registry. `services` has the arguments for the constructors of receptors and endpoints, by parameter name;
 * the compiler lists those that are missing.
 */
export function createService<TServices extends object>(
  registry: ServiceRegistry<TServices>,
  services: TServices,
): Service<TServices>;
export function createService<TServices extends object>(
  registry: RegistryWithoutServices<TServices>,
): Service<TServices>;
export function createService<TServices extends object>(
  registry: ServiceRegistry<TServices>,
  services = {} as TServices,
): Service<TServices> {
  return new Service(registry, services);
}

/** A service: register its parts, start it, then serve it over REST and GraphQL. */
export class Service<TServices extends object = object> extends ServiceRegistration {
  readonly registry: ServiceRegistry<TServices>;
  readonly #services: TServices;
  #running: RunningService | undefined;

  constructor(registry: ServiceRegistry<TServices>, services: TServices) {
    super();
    this.registry = registry;
    this.#services = services;
  }

  /** Checks and connects all parts. Configuration errors occur here, not at the first request. A second call has no effect. */
  start(): this {
    this.#running ??= new RunningService(this.registry, this.#services, this.registrations);
    return this;
  }

  /**
   * Resolves when the storage is open and messages from other hosts are received. It does not wait for an unavailable broker: outgoing messages
   * wait in the outbox, and the check `subscriptions` reports it.
   */
  ready(): Promise<void> {
    return this.#started().ready;
  }

  /** Resolves when the outbox is empty and all hooks have run. */
  idle(): Promise<void> {
    return this.#started().idle();
  }

  /** Makes readiness fail from now on, so that load balancers send no new requests. Running commands continue until `stop`. */
  drain(): void {
    this.#started().drain();
  }

  /** The number of clients of live queries on this host. */
  get watches(): number {
    return this.#started().live.reduce((sum, { size }) => sum + size, 0);
  }

  /** Ends all live queries: their clients connect again, to another host if load balancers send them there. `stop` does so, too. */
  endWatches(): void {
    for (const live of this.#started().live) live.end();
  }

  /** Stops background work and closes transport and storage. Messages left in the outbox are delivered after the next start. */
  stop(): Promise<void> {
    return this.#running?.stop() ?? Promise.resolve();
  }

  /** The events of the service. */
  get eventStore(): EventStore {
    return this.#started().eventStore;
  }

  /** Decides which messages enter and leave over the transport: the filter of system events and those of the application. */
  get transportPublishFilter(): TransportPublishFilter {
    return this.#started().foundation.publishFilter;
  }

  /** What the service exchanges with other hosts; null: it has no transport, or one within this process. */
  get messages(): ServiceMessages | null {
    return serviceMessages(this.#started().foundation);
  }

  /** The telemetry of the service; null: there is none. HTTP packages report the routes of requests to it. */
  get telemetry(): Telemetry | null {
    return this.registrations.telemetry;
  }

  get dispatcher(): Dispatcher {
    return this.#started().dispatcher;
  }

  get emitter(): SystemEventEmitter {
    return this.#started().emitter;
  }

  get access(): AccessControl {
    return this.#started().access;
  }

  /** Answers who did what, when and why: `service.audit.query({ resource: orderId, type: 'orders.OrderCancelled' })`. */
  get audit(): Audit {
    return this.#started().audit;
  }

  /** What operators see and change: migrations, perspectives, reactions, schedules, processes. The operator console shows it. */
  get administration(): Administration {
    return this.#started().administration;
  }

  /**
   * Records in the database, every 10 seconds, how many commands this host ran and how long they took, for the operator console of any host. The console calls it; call
   * it yourself in hosts that serve no console. Has no effect after the first call.
   */
  recordActivity(options: ActivityOptions = {}): void {
    requireValidActivity(options);
    this.#started().recordActivity(options);
  }

  /** How callers query the audit; null: `addAuditQueries` was not called. */
  get auditQueries(): ServedAudit | null {
    return this.registrations.auditQueries;
  }

  /** Reads the models of a perspective: `service.lens(OrderSummaryPerspective)`. */
  lens<TModel extends object>(
    perspective: new (...args: never[]) => Perspective<TModel, never>,
  ): PerspectiveLens<TModel> {
    return this.#started().lens(perspective) as PerspectiveLens<TModel>;
  }

  /** The perspectives that callers can read over REST or GraphQL, with the access that each requires. */
  get queries(): readonly PerspectiveQuery[] {
    return this.#started().queries;
  }

  /**
   * Rebuilds the models of a perspective from all events, in every database, and resolves when they are complete. Events appended during the
   * rebuild are applied exactly once. `onProgress` receives the progress of each database.
   */
  rebuildPerspective(
    perspective: new (...args: never[]) => Perspective<object, never>,
    options: RebuildOptions = {},
  ): Promise<RebuildResult> {
    return this.#started().rebuild(perspective, options);
  }

  /**
   * Erases the personal data of a subject: destroys its key, so that all its data read as null, deletes its snapshots, results and dead letters, rebuilds
   * its models, and emits `SubjectErased`. Needs `system:write`, without a tenant. An interrupted erasure is completed by calling it again.
   */
  erase(subject: string, options: EraseOptions): Promise<EraseResult> {
    return this.#started().erase(subject, options);
  }

  /**
   * Runs work of the host in one of the databases of `useDatabases`: `runAsHost(() => service.runInDatabase('eu', () => …))`. Without it, the host works
   * in the default database. A caller always works in the database of its tenant.
   */
  runInDatabase<T>(name: string, action: () => T): T {
    return this.#started().runInDatabase(name, action);
  }

  /** Runs work of the host in the database of a tenant, '' for none. With one database, it only runs it. */
  runInDatabaseOf<T>(tenantId: string, action: () => T): T {
    return this.#started().runInDatabaseOf(tenantId, action);
  }

  /** The health of the service: its own checks, those you added, and whether it drains. */
  get health(): HealthPipeline {
    return this.#started().health;
  }

  /** The dead letters, to list, replay and discard. */
  get deadLetters(): DeadLetters {
    return this.#started().deadLetters;
  }

  /** Serves requests with an idempotency key. */
  get idempotentRequests(): IdempotentRequests {
    return this.#started().idempotentRequests;
  }

  get endpoints(): readonly ReadyEndpoint[] {
    return this.#started().endpoints;
  }

  protected override get isStarted(): boolean {
    return this.#running !== undefined;
  }

  #started(): RunningService {
    if (this.#running === undefined) {
      throw new ServiceError('SVC_SERVICE_NOT_STARTED', 'The service has not been started. Call start() first.');
    }
    return this.#running;
  }
}
