import type { Counter, Histogram, Meter, UpDownCounter } from '@opentelemetry/api';
import type { Metric, MetricSink } from './metric.js';

/** Sends measurements to the SDK of the host. Without an SDK they are dropped. */
export class OpenTelemetryMetrics implements MetricSink {
  readonly #meter: Meter;
  readonly #instruments = new Map<Metric, (value: number, labels: Readonly<Record<string, string>>) => void>();

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  record(metric: Metric, value: number, labels: Readonly<Record<string, string>>): void {
    let instrument = this.#instruments.get(metric);
    if (instrument === undefined) this.#instruments.set(metric, (instrument = this.#create(metric)));
    instrument(value, labels);
  }

  #create({ name, kind, unit, description, boundaries }: Metric): (value: number, labels: object) => void {
    if (kind === 'counter') {
      const counter: Counter = this.#meter.createCounter(name, { unit, description });
      return (value, labels) => counter.add(value, { ...labels });
    }
    if (kind === 'gauge') {
      const sum: UpDownCounter = this.#meter.createUpDownCounter(name, { unit, description });
      return (value, labels) => sum.add(value, { ...labels });
    }
    const advice = boundaries === undefined ? {} : { advice: { explicitBucketBoundaries: [...boundaries] } };
    const histogram: Histogram = this.#meter.createHistogram(name, { unit, description, ...advice });
    return (value, labels) => histogram.record(value, { ...labels });
  }
}
