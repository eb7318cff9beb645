import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { attribute } from '../attributes.js';
import { metric, requestDuration, type Metric, type MetricSink } from './metric.js';

/** What `prometheus()` adds to the metrics of the service. */
export interface PrometheusOptions {
  /** Labels of every metric of this host, such as its environment. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Whether to include process metrics: memory, garbage collection, event loop. Default: true. */
  readonly processMetrics?: boolean;
}

/** A completed request. */
export interface AnsweredRequest {
  readonly method: string;
  /** The matched route, not the path; null if no route matched. */
  readonly route: string | null;
  readonly status: number;
  readonly seconds: number;
}

/** Collects measurements for Prometheus to scrape: `service.useTelemetry(openTelemetry({ metrics: [prometheus()] }))`. */
export function prometheus(options: PrometheusOptions = {}): Prometheus {
  return new Prometheus(options);
}

/** The destination of measurements that Prometheus scrapes. */
export class Prometheus implements MetricSink {
  readonly #registry = new Registry();
  readonly #record = new Map<Metric, (value: number, labels: Readonly<Record<string, string>>) => void>();

  constructor({ labels = {}, processMetrics = true }: PrometheusOptions) {
    this.#registry.setDefaultLabels(labels);
    if (processMetrics) collectDefaultMetrics({ register: this.#registry });
    for (const known of [...Object.values<Metric>(metric), requestDuration]) this.#add(known);
  }

  /** The content type of `read`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All measurements in Prometheus' text format. */
  read(): Promise<string> {
    return this.#registry.metrics();
  }

  record(known: Metric, value: number, labels: Readonly<Record<string, string>>): void {
    this.#record.get(known)?.(value, labels);
  }

  answered({ method, route, status, seconds }: AnsweredRequest): void {
    this.record(requestDuration, seconds, {
      [attribute.httpMethod]: methods.has(method) ? method : '_OTHER',
      [attribute.httpRoute]: route ?? '',
      [attribute.httpStatus]: String(status),
    });
  }

  #add(known: Metric): void {
    const { kind, description: help, boundaries = [] } = known;
    const names = known.labels.map((label) => [label, underscored(label)] as const);
    const labelNames = names.map(([, name]) => name);
    const base = { name: prometheusName(known), help, labelNames, registers: [this.#registry] };
    const translated = (labels: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(names.map(([label, name]) => [name, labels[label] ?? '']));
    if (kind === 'counter') {
      const counter = new Counter(base);
      // Present before the first measurement, so that an alert can distinguish 0 from a missing metric.
      if (labelNames.length === 0) counter.inc(0);
      this.#record.set(known, (value, labels) => counter.inc(translated(labels), value));
    } else if (kind === 'gauge') {
      const gauge = new Gauge(base);
      if (labelNames.length === 0) gauge.inc(0);
      this.#record.set(known, (value, labels) => gauge.inc(translated(labels), value));
    } else {
      const histogram = new Histogram({ ...base, buckets: [...boundaries] });
      this.#record.set(known, (value, labels) => histogram.observe(translated(labels), value));
    }
  }
}

/** Known methods. Others are not used as label values, because a caller can send any. */
const methods: ReadonlySet<string> = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

const units: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' };

/** `svc.command.duration` in seconds is `svc_command_duration_seconds`; counters end in `_total`. */
export function prometheusName({ name, kind, unit }: Metric): string {
  return `${underscored(name)}${units[unit] ?? ''}${kind === 'counter' ? '_total' : ''}`;
}

function underscored(name: string): string {
  return name.replaceAll('.', '_');
}
