import type { Authenticator } from '../access/index.js';
import type { PipelineBehavior, Receptor } from '../dispatch/index.js';
import { ServiceError } from '../errors/index.js';
import type { HealthCheck, LagLimits } from '../health/index.js';
import {
  systemTagPrefix,
  type Command,
  type MessageClass,
  type ResultOf,
  type TransportPublishFilter,
} from '../messages/index.js';
import type { Storage } from '../storage/index.js';
import { CommandAuditPipelineBehavior, SystemEventOptions, systemTags, type TagHook } from '../system-events/index.js';
import type { CommandAcceptance, EventAcceptance, SigningKey, Transport } from '../transport/index.js';
import { noRegistrations, type Registrations, type Reporter } from './registrations.js';
import type { ServiceRegistry } from './service-registry.js';
import type { Telemetry } from './telemetry.js';
import type { MessageVerification } from './wiring/trust.js';

type Configure = (options: SystemEventOptions) => void;

/** What a service is put together with, before it starts. */
export abstract class ServiceRegistration {
  protected readonly registrations = noRegistrations();

  protected abstract readonly isStarted: boolean;

  /** Registers an emitter that does nothing, so that asking for one is always safe. `addSystemEvents` puts the real one in its place. */
  addService(): this {
    this.#open().emitter = true;
    return this;
  }

  /** Where everything is kept; the service opens it when it starts and closes it when it stops. Default: in memory. */
  useStorage(storage: Storage): this {
    const registrations = this.#open();
    if (registrations.auditsEvents) {
      throw new ServiceError(
        'SVC_EVENT_STORE_MISSING',
        'The event store is audited already, and another one would not be. Call useStorage before addSystemEvents and decorateEventStoreWithAuditing.',
      );
    }
    registrations.storage = storage;
    return this;
  }

  /** What carries events to and from other hosts; the service closes it when it stops. Default: nothing does. */
  useTransport(transport: Transport): this {
    this.#open().transport = transport;
    return this;
  }

  /**
   * Adds a filter of the application to that of `addSystemEvents`: a message crosses the border to the transport when all filters let it. None
   * can let a system event pass that is local (decision 0079).
   */
  addTransportPublishFilter(filter: TransportPublishFilter): this {
    this.#open().transportFilters.push(filter);
    return this;
  }

  /** What watches the service while it works. Default: nothing does, and nothing stands between its parts. */
  useTelemetry(telemetry: Telemetry): this {
    this.#open().telemetry = telemetry;
    return this;
  }

  /**
   * Registers the real emitter and the transport publish filter. When the options enable the audit of events, it decorates the event
   * store, which has to be registered before.
   */
  addSystemEvents(configure: Configure = () => {}): this {
    const registrations = this.#open();
    const options = registrations.systemEvents ?? new SystemEventOptions();
    configure(options);
    if (options.eventAuditEnabled) this.decorateEventStoreWithAuditing();
    registrations.systemEvents = options;
    return this;
  }

  /** Does what `addSystemEvents` does, and has commands audited. */
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
   * Decorates the registered event store explicitly: events are audited, subject to AuditMode and exclusion, also where `enableEventAudit()` is
   * not set (decision 0078). Decorating twice changes nothing.
   */
  decorateEventStoreWithAuditing(): this {
    const registrations = this.#open();
    if (registrations.storage === null) {
      throw new ServiceError(
        'SVC_EVENT_STORE_MISSING',
        'There is no event store to audit. Register it first: useStorage(new InMemoryStorage()), or a database.',
      );
    }
    registrations.auditsEvents = true;
    return this;
  }

  /**
   * Registers the perspectives that the generator found, those of system events among them. The check `svc_perspectives` is Degraded
   * when one of them is further behind than `lag` says.
   */
  addServicePerspectives({ lag = {} }: { readonly lag?: LagLimits } = {}): this {
    const registrations = this.#open();
    registrations.perspectives = true;
    registrations.lagLimits = lag;
    return this;
  }

  /** Lets callers show who they are. With one authenticator or more, everybody has to, except where an endpoint lets anonymous callers in. */
  addAuthentication(...authenticators: Authenticator[]): this {
    this.#open().authenticators.push(...authenticators);
    return this;
  }

  /** Lets everybody use endpoints that require a permission although nobody can show who they are: for trials on a loopback address. */
  allowEverybody(): this {
    this.#open().open = true;
    return this;
  }

  /**
   * Lets callers of every tenant reach the streams and models of all tenants. Default: a stream belongs to the tenant of its first event,
   * and to callers of other tenants it does not exist.
   */
  shareDataBetweenTenants(): this {
    this.#open().tenants = 'shared';
    return this;
  }

  /**
   * Marks the events of the host with the tenant of their stream, as a service with authentication does. For a host without callers, such as
   * one that works in the background, of a service whose other hosts have tenants.
   */
  isolateTenants(): this {
    this.#open().tenants = 'isolated';
    return this;
  }

  /** Adds a behavior around every command, inside those added before. */
  addBehavior(behavior: PipelineBehavior): this {
    this.#open().behaviors.push(behavior);
    return this;
  }

  /** Adds a receptor that the generator did not find, such as one made by a function. */
  addReceptor<TCommand extends Command>(
    command: MessageClass<TCommand>,
    receptor: Receptor<TCommand, ResultOf<TCommand>>,
    name = receptor.constructor.name,
  ): this {
    this.#open().receptors.push({ command, name, resultType: null, receptor });
    return this;
  }

  /**
   * Registers the commands of another host, by what the generator made of its package, so that receptors can send them to it. They need no
   * receptor here.
   */
  addCommandsOf(other: Pick<ServiceRegistry<never>, 'messages'>): this {
    this.#open().foreignCommands.push(...other.messages.filter(({ kind }) => kind === 'command'));
    return this;
  }

  /**
   * Accepts the events of some namespaces from a host, from several, or from `unprovenHosts`. The name of a host has to be proven, by the
   * transport or by `verifyMessages`. A host subscribes to what it accepts and to nothing else. Default: nothing.
   */
  acceptEvents(acceptance: EventAcceptance): this {
    this.#open().trust.acceptEvents(acceptance);
    return this;
  }

  /**
   * Accepts commands from a host, from several, or from `unprovenHosts`. No endpoint, none of its hooks and no permission that it requires
   * stands before them. Default: none.
   */
  acceptCommands(acceptance: CommandAcceptance): this {
    this.#open().trust.acceptCommands(acceptance);
    return this;
  }

  /** Signs what this host publishes, so that other hosts can verify that it comes from it, whatever their broker proves. */
  signMessages(key: SigningKey): this {
    this.#open().trust.signMessages(key);
    return this;
  }

  /** Verifies the messages of a host by its keys. From then on a message of that host has to be signed; what a broker proves does not count. */
  verifyMessages(verification: MessageVerification): this {
    this.#open().trust.verifyMessages(verification);
    return this;
  }

  /** Adds a hook for messages with a tag, run once they are kept: `sys-audit` for audit records. */
  addTagHook(tag: string, hook: TagHook): this {
    const { tagHooks } = this.#open();
    if (tag.startsWith(systemTagPrefix) && !systemTags.includes(tag)) {
      throw new ServiceError('SVC_RESERVED_TAG', `The system has no tag ${tag}; it has ${systemTags.join(', ')}.`);
    }
    tagHooks.set(tag, [...(tagHooks.get(tag) ?? []), hook]);
    return this;
  }

  /** Adds a question to what the probes of the host ask. */
  addHealthCheck(check: HealthCheck): this {
    this.#open().healthChecks.push(check);
    return this;
  }

  /** Adds the check `amqp_broker`: whether the broker of the transport can be reached. Without it, probes do not ask. */
  addAmqpBrokerHealthChecks(): this {
    this.#open().amqpBrokerHealthChecks = true;
    return this;
  }

  /**
   * How long a message that came from elsewhere is known, so that it is not taken twice; it has to be longer than a broker may take to
   * send one again. A command that is older is rejected. Default: 14 days.
   */
  forgetReceivedAfter(milliseconds: number): this {
    if (!(milliseconds > 0)) throw new RangeError(`A time above 0 is needed, not ${milliseconds}.`);
    this.#open().receivedMs = milliseconds;
    return this;
  }

  /**
   * How far clocks of other hosts may be ahead of the database's. A message whose id is further ahead becomes a dead letter: ids made here follow
   * those that were received. Default: 5 minutes.
   */
  acceptClocksAhead(milliseconds: number): this {
    if (!(milliseconds > 0)) throw new RangeError(`A time above 0 is needed, not ${milliseconds}.`);
    this.#open().mostAheadMs = milliseconds;
    return this;
  }

  /** Who is told of failures that belong to no caller. Default: the console. */
  reportTo(report: Reporter): this {
    this.#open().report = report;
    return this;
  }

  /** The registrations, as long as they can be changed. */
  #open(): Registrations {
    if (this.isStarted) {
      throw new ServiceError(
        'SVC_SERVICE_STARTED',
        'The service has started already. Register everything before start().',
      );
    }
    return this.registrations;
  }
}
