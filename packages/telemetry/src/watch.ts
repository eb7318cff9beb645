import type { Tracer } from '@opentelemetry/api';
import type { MetricSink } from './metrics/metric.js';

/** Where the instrumented parts of a service report to. */
export interface Watch {
  readonly tracer: Tracer;
  readonly metrics: MetricSink;
}
