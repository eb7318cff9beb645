import type { Authenticator } from '../access/index.js';
import type { ServedAudit } from '../audit/index.js';
import type { PipelineBehavior, Receptor } from '../dispatch/index.js';
import { ServiceError } from '../errors/index.js';
import type { HealthCheck, LagLimits } from '../health/index.js';
import {
  systemTagPrefix,
  type Command,
  type MessageClass,
  type MessageDescriptor,
  type ResultOf,
  type TransportPublishFilter,
} from '../messages/index.js';
import type { KeyVault } from '../personal/index.js';
import { checkedSealOptions, type SealOptions } from '../seals/index.js';
import { mostAheadMs, type Storage } from '../storage/index.js';
import { CommandAuditPipelineBehavior, SystemEventOptions, systemTags, type TagHook } from '../system-events/index.js';
import type { CommandAcceptance, EventAcceptance, SigningKey, Transport } from '../transport/index.js';
import type { AddedReaction } from './added-reaction.js';
import { requireValid, type TenantDatabases } from './databases/tenant-databases.js';
import { noRegistrations, type Registrations, type Reporter } from './registrations.js';
import type { ServiceRegistry } from './service-registry.js';
import type { Telemetry } from './telemetry.js';
import type { MessageVerification } from './wiring/trust.js';

type Configure = (options: SystemEventOptions) => void;

/** The messages of another registry, and their schemas for the AsyncAPI document. */
type RegisteredMessages = Pick<ServiceRegistry<never>, 'messages'> & Partial<Pick<ServiceRegistry<never>, 'openapi'>>;

/** The registration methods of a service, for use before it starts. */
export abstract class ServiceRegistration {
  protected readonly registrations = noRegistrations();

  protected abstract readonly isStarted: boolean;

  /**
   * Registers an emitter that does nothing, so that constructors can request one. This is the default, and you can omit the call. `addSystemEvents`
   * replaces the emitter with the real one.
   */
  addService(): this {
    this.#open();
    return this;
  }

  /** Sets the storage; the service opens it at start and closes it at stop. Default: in memory. */
  useStorage(storage: Storage): this {
    return this.#setStorage(storage, null);
  }

  /**
   * Sets several databases; each holds all data of its tenants, which `storageOf` chooses. The service opens and migrates all of them at start, and
   * closes them at stop. Needs authentication, because callers must have tenants, or `isolateTenants()`.
   */
  useDatabases<TName extends string>(databases: TenantDatabases<TName>): this {
    requireValid(databases);
    return this.#setStorage(null, databases);
  }

  /** Sets the transport that carries messages to and from other hosts; the service closes it at stop. Default: none. */
  useTransport(transport: Transport): this {
    this.#open().transport = transport;
    return this;
  }

  /**
   * Adds a filter to that of `addSystemEvents`: a message enters or leaves over the transport only if all filters allow it. No filter can publish a
   * local system event (decision 0079).
   */
  addTransportPublishFilter(filter: TransportPublishFilter): this {
    this.#open().transportFilters.push(filter);
    return this;
  }

  /**
   * Sets the vault that wraps the keys of subjects. A service with `Personal` data needs one. `inMemoryMs`: how long an unwrapped key stays in memory, and
   * how long an erasure waits until all hosts have forgotten it. Default: 10 s.
   */
  useKeyVault(vault: KeyVault, { inMemoryMs }: { readonly inMemoryMs?: number } = {}): this {
    const registrations = this.#open();
    registrations.keyVault = vault;
    if (inMemoryMs !== undefined) registrations.keysInMemoryMs = inMemoryMs;
    return this;
  }

  /** Sets the telemetry, which wraps the parts of the service. Default: none, and no wrappers. */
  useTelemetry(telemetry: Telemetry): this {
    this.#open().telemetry = telemetry;
    return this;
  }

  /**
   * Registers the real emitter and the transport publish filter. If the options enable the event audit, it decorates the event store, which cannot
   * be replaced afterwards.
   */
  addSystemEvents(configure: Configure = () => {}): this {
    const registrations = this.#open();
    const options = registrations.systemEvents ?? new SystemEventOptions();
    configure(options);
    if (options.eventAuditEnabled) this.decorateEventStoreWithAuditing();
    registrations.systemEvents = options;
    return this;
  }

  /** Does what `addSystemEvents` does, and audits commands. */
  addSystemEventAuditing(configure: Configure = (options) => options.enableAudit()): this {
    this.addSystemEvents(configure);
    const { behaviors, systemEvents } = this.registrations;
    if (
      !this.registrations.auditsCommands &&
      !behaviors.some((known) => known instanceof CommandAuditPipelineBehavior)
    ) {
      behaviors.push((emitter) => new CommandAuditPipelineBehavior(emitter, systemEvents!));
    }
    this.registrations.auditsCommands = true;
    return this;
  }

  /**
   * Decorates the registered event store explicitly: events are audited, subject to AuditMode and exclusion, also without `enableEventAudit()`
   * (decision 0078). A second call has no effect.
   */
  decorateEventStoreWithAuditing(): this {
    this.#open().auditsEvents = true;
    return this;
  }

  /**
   * Registers the generated perspectives, including those of system events. The check `svc_perspectives` is Degraded if one of them exceeds the
   * limits in `lag`.
   */
  addServicePerspectives({ lag = {} }: { readonly lag?: LagLimits } = {}): this {
    const registrations = this.#open();
    registrations.perspectives = true;
    registrations.lagLimits = lag;
    return this;
  }

  /** Omits the generated perspectives on purpose, such as on a host that only runs commands. Without this, the start reports them. */
  omitServicePerspectives(): this {
    this.#open().perspectives = false;
    return this;
  }

  /**
   * Lets callers with the permission `system:read` query the audit of their tenant: `GET /audit`, and `audit` over GraphQL. Null: not over this
   * protocol. Each use is recorded. Application code uses `service.audit`, also without this.
   */
  addAuditQueries({ route = '/audit', graphQLQuery = 'audit' }: Partial<ServedAudit> = {}): this {
    this.#open().auditQueries = { route, graphQLQuery };
    return this;
  }

  /**
   * Registers the generated reactions. They run on this host and on others that share the database; each reaction runs on one host at a time.
   */
  addServiceReactions(): this {
    this.#open().reactions = true;
    return this;
  }

  /** Omits the generated reactions on purpose, such as on a host whose reactions run on other hosts. Without this, the start reports them. */
  omitServiceReactions(): this {
    this.#open().reactions = false;
    return this;
  }

  /** Adds a reaction that the generator did not find, such as a webhook. It runs like the generated ones. */
  addReaction(reaction: AddedReaction): this {
    this.#open().addedReactions.push(reaction);
    return this;
  }

  /**
   * Seals the log: checkpoints of all events are signed in the background, reported as `LogSealed` and sent to the anchors, so that `svc audit verify` can
   * prove that no event was changed. Needs `addSystemEvents`. One host seals at a time.
   */
  addSeals(options: SealOptions): this {
    this.#open().seals = checkedSealOptions(options);
    return this;
  }

  /** Adds authenticators. With one or more, callers must authenticate, except at endpoints that allow anonymous callers. */
  addAuthentication(...authenticators: Authenticator[]): this {
    this.#open().authenticators.push(...authenticators);
    return this;
  }

  /** Allows every caller to use endpoints that require a permission in a service without authentication: for trials on a loopback address. */
  allowEverybody(): this {
    this.#open().open = true;
    return this;
  }

  /**
   * Allows callers of every tenant to reach the streams and models of all tenants. Default: a stream belongs to the tenant of its first event and
   * does not exist for callers of other tenants.
   */
  shareDataBetweenTenants(): this {
    this.#open().tenants = 'shared';
    return this;
  }

  /**
   * Marks the events of the host with the tenant of their stream, as a service with authentication does. For a host without callers, such as a
   * background host, in a service whose other hosts have tenants.
   */
  isolateTenants(): this {
    this.#open().tenants = 'isolated';
    return this;
  }

  /** Adds a behavior that runs around every command, inside those added before. */
  addBehavior(behavior: PipelineBehavior): this {
    this.#open().behaviors.push(behavior);
    return this;
  }

  /** Adds a receptor that the generator did not find, such as one that a function creates. */
  addReceptor<TCommand extends Command>(
    command: MessageClass<TCommand>,
    receptor: Receptor<TCommand, ResultOf<TCommand>>,
    name = receptor.constructor.name,
  ): this {
    this.#open().receptors.push({ command, name, resultType: null, receptor });
    return this;
  }

  /**
   * Registers the commands of another host from the generated registry of its package, so that receptors can send them to it. They need no receptor
   * here.
   */
  addCommandsOf(other: RegisteredMessages): this {
    return this.#addMessages(other, ({ kind }) => kind === 'command');
  }

  /**
   * Registers the events of a library from its generated registry, so that this service can append, accept and react to them. Two services that
   * share a library know the same events.
   */
  addEventsOf(library: RegisteredMessages): this {
    return this.#addMessages(library, ({ kind }) => kind !== 'command');
  }

  /**
   * Accepts events of the given namespaces from one or several hosts, or from `unprovenHosts`. The transport or `verifyMessages` must prove the name
   * of a host. A host subscribes only to what it accepts. Default: none.
   */
  acceptEvents(acceptance: EventAcceptance): this {
    this.#open().trust.acceptEvents(acceptance);
    return this;
  }

  /**
   * Accepts commands from one or several hosts, or from `unprovenHosts`. They bypass endpoints, with their hooks and permissions. Default: none.
   */
  acceptCommands(acceptance: CommandAcceptance): this {
    this.#open().trust.acceptCommands(acceptance);
    return this;
  }

  /** Signs the messages that this host publishes, so that other hosts can verify their origin independently of the broker. */
  signMessages(key: SigningKey): this {
    this.#open().trust.signMessages(key);
    return this;
  }

  /** Verifies the messages of a host by its keys. Unsigned messages of that host are then rejected, even if the broker proves their origin. */
  verifyMessages(verification: MessageVerification): this {
    this.#open().trust.verifyMessages(verification);
    return this;
  }

  /** Adds a hook that runs after messages with a tag are committed: `sys-audit` for audit records. */
  addTagHook(tag: string, hook: TagHook): this {
    const { tagHooks } = this.#open();
    if (tag.startsWith(systemTagPrefix) && !systemTags.includes(tag)) {
      throw new ServiceError(
        'SVC_RESERVED_TAG',
        `svc has no tag ${tag}. Use one of ${systemTags.join(', ')}, or a tag that does not start with sys-.`,
      );
    }
    tagHooks.set(tag, [...(tagHooks.get(tag) ?? []), hook]);
    return this;
  }

  /** Adds a health check, which the probes of the host run. */
  addHealthCheck(check: HealthCheck): this {
    this.#open().healthChecks.push(check);
    return this;
  }

  /** Adds the check `amqp_broker`: whether the broker of the transport is reachable. Not included by default. */
  addAmqpBrokerHealthChecks(): this {
    this.#open().amqpBrokerHealthChecks = true;
    return this;
  }

  /**
   * Sets how long the ids of received messages are retained, so that none is processed twice. It must be longer than a broker may take to redeliver
   * a message. Older commands are rejected. Default: 14 days.
   */
  forgetReceivedAfter(milliseconds: number): this {
    if (!(milliseconds > 0)) throw new RangeError(`The time must be above 0 milliseconds, not ${milliseconds}.`);
    this.#open().receivedMs = milliseconds;
    return this;
  }

  /**
   * Sets how far the clocks of other hosts may be ahead of the database, at most 30 days. A message whose id is further ahead becomes a dead
   * letter, because new ids follow the received ones. Default: 5 minutes.
   */
  acceptClocksAhead(milliseconds: number): this {
    if (!(milliseconds > 0 && milliseconds <= mostAheadMs)) {
      throw new RangeError(`The time must be above 0 and at most ${mostAheadMs} milliseconds, not ${milliseconds}.`);
    }
    this.#open().mostAheadMs = milliseconds;
    return this;
  }

  /**
   * Sets how often a command runs again because another host has appended to a stream that the command has read. 0: the caller receives the
   * conflict, a 409 over REST. Default: 3.
   */
  conflictRetries(times: number): this {
    if (!Number.isSafeInteger(times) || times < 0) {
      throw new RangeError(`The number of retries must be an integer of at least 0, not ${times}.`);
    }
    this.#open().conflictRetries = times;
    return this;
  }

  /** Sets the function that receives failures in the background. Default: the console. */
  reportTo(report: Reporter): this {
    this.#open().report = report;
    return this;
  }

  /** Sets the function that receives failures in the background if `reportTo` sets none. For hosts that have a log; without effect after the start. */
  reportByDefault(report: Reporter): this {
    if (!this.isStarted) this.registrations.defaultReport = report;
    return this;
  }

  #setStorage(storage: Storage | null, databases: TenantDatabases | null): this {
    const registrations = this.#open();
    if (registrations.auditsEvents) {
      throw new ServiceError(
        'SVC_EVENT_STORE_AUDITED',
        'Cannot replace the storage: the event store is already audited, and another one would not be. Call useStorage before addSystemEvents and decorateEventStoreWithAuditing.',
      );
    }
    registrations.storage = storage;
    registrations.databases = databases;
    return this;
  }

  #addMessages({ messages, openapi }: RegisteredMessages, isWanted: (message: MessageDescriptor) => boolean): this {
    const { foreignMessages, foreignSchemas } = this.#open();
    foreignMessages.push(...messages.filter(isWanted));
    if (openapi !== undefined) foreignSchemas.push(openapi);
    return this;
  }

  /** The registrations; throws after the service has started. */
  #open(): Registrations {
    if (this.isStarted) {
      throw new ServiceError(
        'SVC_SERVICE_STARTED',
        'The service has already started. Register everything before start().',
      );
    }
    return this.registrations;
  }
}
