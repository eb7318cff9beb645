import type { PerEnvironment } from '../platform/environments.js';

/** What was seen of one environment since an observation began. */
export interface TrafficSample {
  readonly requests: number;
  /** Answers with 5xx, and requests that got no answer at all. */
  readonly errors: number;
  /** The time within which 99 of 100 requests were answered, in milliseconds; null when it is not known. */
  readonly p99: number | null;
}

export const noTraffic: TrafficSample = { requests: 0, errors: 0, p99: null };

/** Counts from when it was begun. */
export interface Observation {
  read(): Promise<PerEnvironment<TrafficSample>>;
  close(): void;
}

/** Where the figures come from: the splitter's own counters, or Prometheus. */
export interface TrafficMetrics {
  observe(): Promise<Observation>;
}

export function errorRateOf({ requests, errors }: TrafficSample): number | null {
  return requests === 0 ? null : errors / requests;
}
