/** Defines every instrument once, for all destinations of measurements. */
import { attribute } from '../attributes.js';

/** The definition of an instrument: its name, kind, unit and labels. */
export interface Metric {
  /** The OpenTelemetry name. Prometheus uses underscores, the unit and `_total`. */
  readonly name: string;
  /** A gauge is a sum that can also fall, an `UpDownCounter` of OpenTelemetry: recorded values are added to it. */
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly unit: string;
  readonly description: string;
  readonly labels: readonly string[];
  /** The upper bounds of a histogram's buckets. */
  readonly boundaries?: readonly number[];
}

/** Receives measurements. Never throws. */
export interface MetricSink {
  record(metric: Metric, value: number, labels: Readonly<Record<string, string>>): void;
}

/** The bounds that the semantic conventions recommend for request durations. */
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Work inside the host often takes less than a millisecond. */
const workSeconds = [0.0005, 0.001, 0.0025, ...requestSeconds];
const eventCounts = [1, 10, 100, 1_000, 2_500, 5_000, 7_500, 10_000];
const lagSeconds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800, 3600];

export const metric = {
  commandDuration: {
    name: 'svc.command.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Duration of commands from dispatch until their changes are committed.',
    labels: [attribute.commandType, attribute.outcome],
    boundaries: workSeconds,
  },
  queueWaiting: {
    name: 'svc.stream_queue.waiting',
    kind: 'gauge',
    unit: '{command}',
    description: 'Commands that wait for another command of the host, which has loaded the same stream.',
    labels: [attribute.decider],
  },
  queueWait: {
    name: 'svc.stream_queue.wait',
    kind: 'histogram',
    unit: 's',
    description: 'Time for which these commands waited.',
    labels: [attribute.decider],
    boundaries: workSeconds,
  },
  appendDuration: {
    name: 'svc.append.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Duration of committing the changes of one unit of work.',
    labels: [attribute.outcome],
    boundaries: workSeconds,
  },
  eventsAppended: {
    name: 'svc.events.appended',
    kind: 'counter',
    unit: '{event}',
    description: 'Appended events.',
    labels: [attribute.eventType],
  },
  conflicts: {
    name: 'svc.append.conflicts',
    kind: 'counter',
    unit: '{conflict}',
    description: 'Units of work rejected because the stream had changed since it was read.',
    labels: [],
  },
  published: {
    name: 'svc.outbox.published',
    kind: 'counter',
    unit: '{message}',
    description: 'Messages published to other hosts, and attempts that failed and are retried.',
    labels: [attribute.destination, attribute.outcome],
  },
  received: {
    name: 'svc.messages.received',
    kind: 'counter',
    unit: '{message}',
    description: 'Messages received from other hosts: processed, or to be delivered again.',
    labels: [attribute.destination, attribute.outcome],
  },
  deadLetters: {
    name: 'svc.dead_letters',
    kind: 'counter',
    unit: '{message}',
    description: 'Dead-lettered messages from and to other hosts, by cause.',
    labels: [attribute.direction, attribute.cause],
  },
  scheduleLateness: {
    name: 'svc.schedule.lateness',
    kind: 'histogram',
    unit: 's',
    description: 'Time from the due time of a scheduled command until a host runs it for the first time.',
    labels: [attribute.commandType],
    boundaries: lagSeconds,
  },
  authenticationFailures: {
    name: 'svc.authentication.failures',
    kind: 'counter',
    unit: '{credential}',
    description: 'Rejected credentials.',
    labels: [attribute.scheme],
  },
  perspectiveBatches: {
    name: 'svc.perspective.batches',
    kind: 'counter',
    unit: '{batch}',
    description: 'Batches of events processed by perspectives.',
    labels: [attribute.perspective, attribute.outcome],
  },
  perspectiveLag: {
    name: 'svc.perspective.lag',
    kind: 'histogram',
    unit: 's',
    description: 'Age of the newest event of a batch when its models were committed.',
    labels: [attribute.perspective],
    boundaries: lagSeconds,
  },
  liveConnections: {
    name: 'svc.live.connections',
    kind: 'gauge',
    unit: '{connection}',
    description: 'Open connections of live queries.',
    labels: [attribute.perspective],
  },
  liveSteps: {
    name: 'svc.live.steps',
    kind: 'counter',
    unit: '{step}',
    description: 'Steps sent to clients of live queries.',
    labels: [attribute.perspective, attribute.liveStep],
  },
  liveSent: {
    name: 'svc.live.sent',
    kind: 'counter',
    unit: 'By',
    description: 'Bytes of the steps sent to clients of live queries.',
    labels: [attribute.perspective, attribute.liveStep],
  },
  liveRejected: {
    name: 'svc.live.rejected',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests for live queries rejected by a limit of connections.',
    labels: [attribute.perspective, attribute.liveLimit],
  },
  reactionDuration: {
    name: 'svc.reaction.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Duration of attempts of reactions until their changes are committed.',
    labels: [attribute.reaction, attribute.outcome],
    boundaries: workSeconds,
  },
  reactionLag: {
    name: 'svc.reaction.lag',
    kind: 'histogram',
    unit: 's',
    description: 'Age of events when a reaction starts to process them for the first time.',
    labels: [attribute.reaction],
    boundaries: lagSeconds,
  },
  sealEvents: {
    name: 'svc.seal.events',
    kind: 'histogram',
    unit: '{event}',
    description: 'Events that were not sealed until a checkpoint covered them, for each checkpoint.',
    labels: [],
    boundaries: eventCounts,
  },
  sealLag: {
    name: 'svc.seal.lag',
    kind: 'histogram',
    unit: 's',
    description: 'Age of the oldest event that was not sealed when its checkpoint was stored.',
    labels: [],
    boundaries: lagSeconds,
  },
  anchorFailures: {
    name: 'svc.seal.anchor_failures',
    kind: 'counter',
    unit: '{attempt}',
    description: 'Failed attempts to send a checkpoint to an anchor, which are retried.',
    labels: [attribute.anchor],
  },
} as const satisfies Record<string, Metric>;

/** Measured by the HTTP packages. With OpenTelemetry, its HTTP instrumentation already provides it. */
export const requestDuration: Metric = {
  name: 'http.server.request.duration',
  kind: 'histogram',
  unit: 's',
  description: 'Duration of requests until their response.',
  labels: [attribute.httpMethod, attribute.httpRoute, attribute.httpStatus],
  boundaries: requestSeconds,
};
