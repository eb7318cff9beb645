import type { AccessControl } from '../access/index.js';
import type { Dispatcher } from '../dispatch/index.js';
import { ServiceError } from '../errors/index.js';
import type { HealthPipeline } from '../health/index.js';
import type { TransportPublishFilter } from '../messages/index.js';
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
import { ServiceRegistration } from './service-registration.js';
import type { ReadyEndpoint, ServiceRegistry } from './service-registry.js';
import { RunningService } from './wiring/running-service.js';

/** The second argument of `createService`: absent when no constructor asks for anything. */
// oxlint-disable-next-line typescript/no-empty-object-type -- the question is whether anything is required
export type ServicesArgument<TServices extends object> = {} extends TServices
  ? [services?: TServices]
  : [services: TServices];

/**
 * Makes a service of what the generator found. `services` holds what the constructors of receptors and endpoints ask for,
 * by parameter name; the compiler checks that nothing is missing.
 */
export function createService<TServices extends object>(
  registry: ServiceRegistry<TServices>,
  ...[services]: ServicesArgument<TServices>
): Service<TServices> {
  return new Service(registry, services ?? ({} as TServices));
}

/** A service: first put together, then started, then used by the transports. */
export class Service<TServices extends object = object> extends ServiceRegistration {
  readonly registry: ServiceRegistry<TServices>;
  readonly #services: TServices;
  #running: RunningService | undefined;

  constructor(registry: ServiceRegistry<TServices>, services: TServices) {
    super();
    this.registry = registry;
    this.#services = services;
  }

  /** Wires everything and checks it. What is wrong is thrown here, not at the first request. Starting twice does nothing. */
  start(): this {
    this.#running ??= new RunningService(this.registry, this.#services, this.registrations);
    return this;
  }

  /**
   * Resolves once the storage is open and messages from other hosts are received. A broker that is away is not waited for: what is
   * for other hosts waits in the outbox, and the check `subscriptions` says so.
   */
  ready(): Promise<void> {
    return this.#started().ready;
  }

  /** Resolves once nothing waits in the outbox and all hooks have run. */
  idle(): Promise<void> {
    return this.#started().idle();
  }

  /** Lets readiness say no from now on, so that nobody sends new work. What is under way goes on; `stop` ends it. */
  drain(): void {
    this.#started().drain();
  }

  /** Ends what runs in the background and closes transport and storage; what is left in the outbox is delivered after the next start. */
  stop(): Promise<void> {
    return this.#running?.stop() ?? Promise.resolve();
  }

  /** What has happened. */
  get eventStore(): EventStore {
    return this.#started().eventStore;
  }

  /** What decides which messages leave and enter over the transport: the filter of system events, and those of the application. */
  get transportPublishFilter(): TransportPublishFilter {
    return this.#started().transportPublishFilter;
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

  /** Reads the models of a perspective: `service.lens(OrderSummaryPerspective)`. */
  lens<TModel extends object>(
    perspective: new (...args: never[]) => Perspective<TModel, never>,
  ): PerspectiveLens<TModel> {
    return this.#started().lens(perspective) as PerspectiveLens<TModel>;
  }

  /** The perspectives that callers can read from, over REST, GraphQL or both, and by whom. */
  get queries(): readonly PerspectiveQuery[] {
    return this.#started().queries;
  }

  /**
   * Makes the models of a perspective anew, of all that has happened; resolves once they are. What happens meanwhile is neither
   * lost nor counted twice.
   */
  rebuildPerspective(
    perspective: new (...args: never[]) => Perspective<object, never>,
    options: RebuildOptions = {},
  ): Promise<RebuildResult> {
    return this.#started().rebuild(perspective, options);
  }

  /** How the service is: the checks that were added, those of its parts, and whether it drains. */
  get health(): HealthPipeline {
    return this.#started().health;
  }

  /** The messages between hosts that were put aside: to list, replay and discard. */
  get deadLetters(): DeadLetters {
    return this.#started().deadLetters;
  }

  /** Serves the requests of transports that carry an idempotency key. */
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
