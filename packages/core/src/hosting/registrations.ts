import type { Authenticator, TenantMode } from '../access/index.js';
import { reportToConsole } from '../errors/index.js';
import type { HealthCheck, LagLimits } from '../health/index.js';
import type { NamedReceptor, PipelineBehavior } from '../dispatch/index.js';
import { defaultReceivedMs } from './wiring/housekeeping.js';
import type { MessageClass, MessageDescriptor, TransportPublishFilter } from '../messages/index.js';
import type { Storage } from '../storage/index.js';
import type { SystemEventEmitter, SystemEventOptions, TagHook } from '../system-events/index.js';
import { defaultAheadMs, type Transport } from '../transport/index.js';
import type { Telemetry } from './telemetry.js';
import { Trust } from './wiring/trust.js';

/** A behavior, or what makes one of the parts that exist when the service starts. */
export type BehaviorRegistration = PipelineBehavior | ((emitter: SystemEventEmitter) => PipelineBehavior);

/** Told of failures that belong to no caller, and which part of the service they come from. */
export type Reporter = (error: unknown, part: ReportingPart) => void;

/** What works without a caller: a worker, a hook, what comes from other hosts, a health check, the record of a failed command, the subscriptions. */
export type ReportingPart =
  | 'access'
  | 'housekeeping'
  | 'idempotency'
  | 'inbox'
  | 'migrations'
  | 'operations'
  | 'outbox.system'
  | 'outbox.transport'
  | 'perspectives'
  | 'receive'
  | 'tag-hooks'
  | 'health'
  | 'failure-record'
  | 'subscribe';

/** What was registered before the service starts. */
export interface Registrations {
  storage: Storage | null;
  transport: Transport | null;
  telemetry: Telemetry | null;
  /** The no-op emitter is registered: asking for an emitter is safe. */
  emitter: boolean;
  /** The real emitter is registered, with these options. */
  systemEvents: SystemEventOptions | null;
  auditsEvents: boolean;
  auditsCommands: boolean;
  perspectives: boolean;
  /** From where on perspectives are too far behind. */
  lagLimits: LagLimits;
  open: boolean;
  /** Null: isolated, as far as callers have tenants. */
  tenants: TenantMode | null;
  /** The health check of the AMQP broker is wanted. */
  amqpBrokerHealthChecks: boolean;
  /** How long messages that came from elsewhere are known. */
  receivedMs: number;
  /** How far clocks of other hosts may be ahead. */
  mostAheadMs: number;
  report: Reporter;
  readonly healthChecks: HealthCheck[];
  readonly behaviors: BehaviorRegistration[];
  readonly receptors: (Omit<NamedReceptor, 'commandType'> & { readonly command: MessageClass })[];
  /** Commands that are for other hosts. */
  readonly foreignCommands: MessageDescriptor[];
  /** Whose messages are accepted, and what proves whose they are. */
  readonly trust: Trust;
  /** Those of the application, in addition to that of the service. */
  readonly transportFilters: TransportPublishFilter[];
  readonly authenticators: Authenticator[];
  readonly tagHooks: Map<string, TagHook[]>;
}

export function noRegistrations(): Registrations {
  return {
    storage: null,
    transport: null,
    telemetry: null,
    emitter: false,
    systemEvents: null,
    auditsEvents: false,
    auditsCommands: false,
    perspectives: false,
    lagLimits: {},
    open: false,
    tenants: null,
    amqpBrokerHealthChecks: false,
    receivedMs: defaultReceivedMs,
    mostAheadMs: defaultAheadMs,
    report: reportToConsole,
    healthChecks: [],
    behaviors: [],
    receptors: [],
    foreignCommands: [],
    trust: new Trust(),
    transportFilters: [],
    authenticators: [],
    tagHooks: new Map(),
  };
}
