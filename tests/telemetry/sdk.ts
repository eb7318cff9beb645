/** The OpenTelemetry SDK, with what it exports kept in memory. One for each test file: the API takes one provider of each kind. */
import { context, metrics, trace, type Attributes } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';

export interface Measured {
  readonly attributes: Attributes;
  /** The sum of a counter; how many values a histogram has, and their sum. */
  readonly value: number | { readonly count: number; readonly sum: number };
}

export class Sdk {
  readonly #spans = new InMemorySpanExporter();
  readonly #metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly #reader = new PeriodicExportingMetricReader({ exporter: this.#metrics, exportIntervalMillis: 3_600_000 });
  readonly tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#spans)] });
  readonly meterProvider = new MeterProvider({ readers: [this.#reader] });

  static register(): Sdk {
    const sdk = new Sdk();
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(sdk.tracerProvider);
    metrics.setGlobalMeterProvider(sdk.meterProvider);
    return sdk;
  }

  async stop(): Promise<void> {
    trace.disable();
    metrics.disable();
    context.disable();
    await this.tracerProvider.shutdown();
    await this.meterProvider.shutdown();
  }

  forget(): void {
    this.#spans.reset();
  }

  /** The spans that have ended, of one name or all. */
  spans(name?: string): ReadableSpan[] {
    return this.#spans.getFinishedSpans().filter((span) => name === undefined || span.name === name);
  }

  /** Everything that was exported, as one text: to look for what must not be there. */
  async everything(): Promise<string> {
    const spans = this.spans().map(({ name, attributes, status, events, links }) => ({
      name,
      attributes,
      status,
      events,
      links,
    }));
    await this.#reader.forceFlush();
    return JSON.stringify([spans, this.#metrics.getMetrics().map(({ scopeMetrics }) => scopeMetrics)]);
  }

  /** The meter of an instrument. */
  async meterOf(name: string): Promise<{ readonly name: string; readonly version?: string | undefined } | undefined> {
    await this.#reader.forceFlush();
    const scopes = this.#metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
    return scopes.find((scope) => scope.metrics.some(({ descriptor }) => descriptor.name === name))?.scope;
  }

  /** What was measured with an instrument since the SDK was registered. */
  async measured(name: string): Promise<readonly Measured[]> {
    this.#metrics.reset();
    await this.#reader.forceFlush();
    const found = this.#metrics
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap((scope) => scope.metrics)
      .filter(({ descriptor }) => descriptor.name === name);
    return found.flatMap(({ dataPoints }) =>
      dataPoints.map(({ attributes, value }) => {
        if (typeof value === 'number') return { attributes, value };
        const { count, sum } = value as { count: number; sum?: number };
        return { attributes, value: { count, sum: sum ?? 0 } };
      }),
    );
  }
}
