/** What is measured: every instrument, once, for whatever the measurements go to. */
import { attribute } from '../attributes.js';

export interface Metric {
  /** As OpenTelemetry writes it; Prometheus has underscores, the unit and `_total` instead. */
  readonly name: string;
  readonly kind: 'counter' | 'histogram';
  readonly unit: string;
  readonly description: string;
  readonly labels: readonly string[];
  /** The upper bounds of a histogram's buckets. */
  readonly boundaries?: readonly number[];
}

/** Takes measurements. Never throws. */
export interface MetricSink {
  record(metric: Metric, value: number, labels: Readonly<Record<string, string>>): void;
}

/** Those that the semantic conventions advise for the durations of requests. */
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** What happens inside the host is often done in less than a millisecond. */
const workSeconds = [0.0005, 0.001, 0.0025, ...requestSeconds];
const lagSeconds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800, 3600];

export const metric = {
  commandDuration: {
    name: 'svc.command.duration',
    kind: 'histogram',
    unit: 's',
    description: 'How long commands take from their dispatch until everything they changed is kept.',
    labels: [attribute.commandType, attribute.outcome],
    boundaries: workSeconds,
  },
  appendDuration: {
    name: 'svc.append.duration',
    kind: 'histogram',
    unit: 's',
    description: 'How long the storage takes to keep what one unit of work changed.',
    labels: [attribute.outcome],
    boundaries: workSeconds,
  },
  eventsAppended: {
    name: 'svc.events.appended',
    kind: 'counter',
    unit: '{event}',
    description: 'Events that were kept.',
    labels: [attribute.eventType],
  },
  conflicts: {
    name: 'svc.append.conflicts',
    kind: 'counter',
    unit: '{conflict}',
    description: 'Units of work that were not kept because their stream had moved on.',
    labels: [],
  },
  published: {
    name: 'svc.outbox.published',
    kind: 'counter',
    unit: '{message}',
    description: 'Messages that were published to other hosts, or that could not be for now.',
    labels: [attribute.destination, attribute.outcome],
  },
  received: {
    name: 'svc.messages.received',
    kind: 'counter',
    unit: '{message}',
    description: 'Messages that came from other hosts: done with, or to come again.',
    labels: [attribute.destination, attribute.outcome],
  },
  deadLetters: {
    name: 'svc.dead_letters',
    kind: 'counter',
    unit: '{message}',
    description: 'Messages from and to other hosts that were put aside, and why.',
    labels: [attribute.direction, attribute.cause],
  },
  authenticationFailures: {
    name: 'svc.authentication.failures',
    kind: 'counter',
    unit: '{credential}',
    description: 'Credentials that were rejected.',
    labels: [attribute.scheme],
  },
  perspectiveBatches: {
    name: 'svc.perspective.batches',
    kind: 'counter',
    unit: '{batch}',
    description: 'Batches of events that perspectives took.',
    labels: [attribute.perspective, attribute.outcome],
  },
  perspectiveLag: {
    name: 'svc.perspective.lag',
    kind: 'histogram',
    unit: 's',
    description: 'How old the newest event of a batch was when its models were kept.',
    labels: [attribute.perspective],
    boundaries: lagSeconds,
  },
} as const satisfies Record<string, Metric>;

/** Counted by the HTTP side; where OpenTelemetry is used, its instrumentation of HTTP has it already. */
export const requestDuration: Metric = {
  name: 'http.server.request.duration',
  kind: 'histogram',
  unit: 's',
  description: 'How long requests take until they are answered.',
  labels: [attribute.httpMethod, attribute.httpRoute, attribute.httpStatus],
  boundaries: requestSeconds,
};
