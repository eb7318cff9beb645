import { metrics, trace, type MeterProvider, type TracerProvider } from '@opentelemetry/api';
import { libraryVersion, type Telemetry } from '@svc/core/hosting';
import { attribute } from './attributes.js';
import { metric, type Metric, type MetricSink } from './metrics/metric.js';
import { OpenTelemetryMetrics } from './metrics/open-telemetry-metrics.js';
import { noteRoute } from './route.js';
import type { Watch } from './watch.js';
import { watchedDispatcher } from './watched/dispatcher.js';
import { watchedEndpoint } from './watched/endpoint.js';
import { liveTelemetry } from './watched/live.js';
import { watchedPerspectives } from './watched/perspectives.js';
import { watchedReactions } from './watched/reactions.js';
import { watchedStorage } from './watched/storage.js';
import { watchedWait } from './watched/stream-queue.js';
import { watchedTransport } from './watched/transport.js';

/** Where spans and measurements are sent. */
export interface OpenTelemetryOptions {
  /** Where spans go. Default: the provider registered with the API, even if it is registered later. */
  readonly tracerProvider?: TracerProvider;
  /** Where measurements go. Default: the provider registered with the API when the service starts. */
  readonly meterProvider?: MeterProvider;
  /** Additional destinations of measurements, such as `prometheus()`. Default: none. */
  readonly metrics?: readonly MetricSink[];
}

const scope = '@svc/telemetry';

/**
 * Spans and metrics of a service through the OpenTelemetry API: `service.useTelemetry(openTelemetry())`. The SDK of the host exports
 * them; without one they are dropped.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  let known: Watch | undefined;
  // Not before the service starts: measurements for a provider registered later would be lost.
  const watch = (): Watch => (known ??= createWatch(options));
  return {
    endpoint: (inner) => watchedEndpoint(inner, watch()),
    dispatcher: (inner, typeOf) => watchedDispatcher(inner, typeOf, watch()),
    waiting: (decider) => watchedWait(decider, watch()),
    storage: (inner) => watchedStorage(inner, watch()),
    perspectives: (inner, storage) => watchedPerspectives(inner, storage, watch()),
    reactions: (inner) => watchedReactions(inner, watch()),
    transport: (inner, self) => watchedTransport(inner, self, watch()),
    routed: noteRoute,
    authenticationFailed: (scheme) =>
      watch().metrics.record(metric.authenticationFailures, 1, { [attribute.scheme]: scheme }),
    sealed: ({ events, ageMs }) => {
      watch().metrics.record(metric.sealEvents, events, {});
      watch().metrics.record(metric.sealLag, ageMs / 1000, {});
    },
    anchorFailed: (anchor) => watch().metrics.record(metric.anchorFailures, 1, { [attribute.anchor]: anchor }),
    live: liveTelemetry(watch),
  };
}

function createWatch({ tracerProvider = trace, meterProvider = metrics, ...options }: OpenTelemetryOptions): Watch {
  const sinks = [new OpenTelemetryMetrics(meterProvider.getMeter(scope, libraryVersion)), ...(options.metrics ?? [])];
  const record = (measured: Metric, value: number, labels: Readonly<Record<string, string>>): void => {
    for (const sink of sinks) sink.record(measured, value, labels);
  };
  return { tracer: tracerProvider.getTracer(scope, libraryVersion), metrics: { record } };
}
