import type { Authenticator, TenantMode } from '../access/index.js';
import type { ServedAudit } from '../audit/index.js';
import { reportToConsole } from '../errors/index.js';
import type { HealthCheck, LagLimits } from '../health/index.js';
import { defaultConflictRetries, type NamedReceptor, type PipelineBehavior } from '../dispatch/index.js';
import { defaultReceivedMs } from './wiring/housekeeping.js';
import type { MessageClass, MessageDescriptor, TransportPublishFilter } from '../messages/index.js';
import { longestInMemoryMs, type KeyVault } from '../personal/index.js';
import type { CheckedSealOptions } from '../seals/index.js';
import type { Storage } from '../storage/index.js';
import type { SystemEventEmitter, SystemEventOptions, TagHook } from '../system-events/index.js';
import { defaultAheadMs, type Transport } from '../transport/index.js';
import type { AddedReaction } from './added-reaction.js';
import type { TenantDatabases } from './databases/tenant-databases.js';
import type { ServiceRegistry } from './service-registry.js';
import type { Telemetry } from './telemetry.js';
import { Trust } from './wiring/trust.js';

/** A behavior, or a function that creates one when the service starts. */
export type BehaviorRegistration = PipelineBehavior | ((emitter: SystemEventEmitter) => PipelineBehavior);

/** Receives failures in the background, with the part of the service they come from. */
export type Reporter = (error: unknown, part: ReportingPart) => void;

/** The parts of a service that work without a caller. */
export type ReportingPart =
  | 'access'
  | 'activity'
  | 'housekeeping'
  | 'idempotency'
  | 'inbox'
  | 'migrations'
  | 'operations'
  | 'outbox.system'
  | 'outbox.transport'
  | 'perspectives'
  | 'reactions'
  | 'receive'
  | 'schedule'
  | 'seals'
  | 'snapshots'
  | 'tag-hooks'
  | 'health'
  | 'failure-record'
  | 'subscribe'
  | 'transport';

/** Everything that was registered before the service started. */
export interface Registrations {
  /** The only database; null: in memory, or several databases. */
  storage: Storage | null;
  /** Several databases, by tenant; null: there is one. */
  databases: TenantDatabases | null;
  transport: Transport | null;
  telemetry: Telemetry | null;
  /** Wraps the keys of subjects of personal data; null: there are none. */
  keyVault: KeyVault | null;
  /** How long the key of a subject stays in memory. */
  keysInMemoryMs: number;
  /** The options of the real emitter; null: the emitter does nothing. */
  systemEvents: SystemEventOptions | null;
  auditsEvents: boolean;
  auditsCommands: boolean;
  /** Whether the generated perspectives are registered; null: the application has not decided. */
  perspectives: boolean | null;
  /** How callers query the audit; null: only the application does. */
  auditQueries: ServedAudit | null;
  /** Whether the generated reactions are registered; null: the application has not decided. */
  reactions: boolean | null;
  /** Reactions that the generator did not find. */
  readonly addedReactions: AddedReaction[];
  /** Null: the log is not sealed. */
  seals: CheckedSealOptions | null;
  /** The lag above which perspectives are Degraded. */
  lagLimits: LagLimits;
  open: boolean;
  /** Null: tenants are isolated if the service has authentication. */
  tenants: TenantMode | null;
  /** Whether the health check of the AMQP broker is registered. */
  amqpBrokerHealthChecks: boolean;
  /** How often a command runs again because a stream has changed since the command read it. */
  conflictRetries: number;
  /** How long the ids of received messages are retained. */
  receivedMs: number;
  /** How far the clocks of other hosts may be ahead. */
  mostAheadMs: number;
  /** Null: failures go to `defaultReport`. */
  report: Reporter | null;
  /** Where failures are reported if the application does not choose. */
  defaultReport: Reporter;
  readonly healthChecks: HealthCheck[];
  readonly behaviors: BehaviorRegistration[];
  readonly receptors: (Omit<NamedReceptor, 'commandType'> & { readonly command: MessageClass })[];
  /** Commands of other hosts, and events of libraries. */
  readonly foreignMessages: MessageDescriptor[];
  /** The schemas of their registries. */
  readonly foreignSchemas: ServiceRegistry<never>['openapi'][];
  /** The hosts whose messages are accepted, and how their origin is verified. */
  readonly trust: Trust;
  /** The filters of the application, in addition to that of the service. */
  readonly transportFilters: TransportPublishFilter[];
  readonly authenticators: Authenticator[];
  readonly tagHooks: Map<string, TagHook[]>;
}

export function noRegistrations(): Registrations {
  return {
    storage: null,
    databases: null,
    transport: null,
    telemetry: null,
    keyVault: null,
    keysInMemoryMs: longestInMemoryMs,
    systemEvents: null,
    auditsEvents: false,
    auditsCommands: false,
    perspectives: null,
    auditQueries: null,
    reactions: null,
    addedReactions: [],
    seals: null,
    lagLimits: {},
    open: false,
    tenants: null,
    amqpBrokerHealthChecks: false,
    conflictRetries: defaultConflictRetries,
    receivedMs: defaultReceivedMs,
    mostAheadMs: defaultAheadMs,
    report: null,
    defaultReport: reportToConsole,
    healthChecks: [],
    behaviors: [],
    receptors: [],
    foreignMessages: [],
    foreignSchemas: [],
    trust: new Trust(),
    transportFilters: [],
    authenticators: [],
    tagHooks: new Map(),
  };
}
