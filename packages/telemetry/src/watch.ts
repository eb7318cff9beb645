import type { Tracer } from '@opentelemetry/api';
import type { MetricSink } from './metrics/metric.js';

/** What is put around the parts of a service reports to these. */
export interface Watch {
  readonly tracer: Tracer;
  readonly metrics: MetricSink;
}
