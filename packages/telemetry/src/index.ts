export { activeTrace } from './active-trace.js';
export type { Metric, MetricSink } from './metrics/metric.js';
export { openTelemetry, type OpenTelemetryOptions } from './open-telemetry.js';
