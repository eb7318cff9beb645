import { attribute } from '../attributes.js';
import { metric } from '../metrics/metric.js';
import type { Watch } from '../watch.js';

/** Measures how long a command waits for a stream. The returned function is called when it no longer waits. */
export function watchedWait(decider: string, { metrics }: Watch): () => void {
  const labels = { [attribute.decider]: decider };
  const started = performance.now();
  metrics.record(metric.queueWaiting, 1, labels);
  return () => {
    metrics.record(metric.queueWaiting, -1, labels);
    metrics.record(metric.queueWait, (performance.now() - started) / 1_000, labels);
  };
}
