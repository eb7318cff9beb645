import type { LiveTelemetry } from '@svc/core/hosting';
import { attribute } from '../attributes.js';
import { metric } from '../metrics/metric.js';
import type { Watch } from '../watch.js';

/** Measures the connections of live queries. They have no spans: a connection lasts for hours. */
export function liveTelemetry(watch: () => Watch): LiveTelemetry {
  const named = (perspective: string) => ({ [attribute.perspective]: perspective });
  return {
    opened: (perspective) => watch().metrics.record(metric.liveConnections, 1, named(perspective)),
    closed: (perspective) => watch().metrics.record(metric.liveConnections, -1, named(perspective)),
    rejected: (perspective, limit) =>
      watch().metrics.record(metric.liveRejected, 1, { ...named(perspective), [attribute.liveLimit]: limit }),
    sent: (perspective, kind, steps, bytes) => {
      const labels = { ...named(perspective), [attribute.liveStep]: kind };
      watch().metrics.record(metric.liveSteps, steps, labels);
      watch().metrics.record(metric.liveSent, bytes, labels);
    },
  };
}
