import type { PerEnvironment } from '../platform/environments.js';

/** The traffic of one environment since an observation began. */
export interface TrafficSample {
  readonly requests: number;
  /** Responses with 5xx, and requests without a response. */
  readonly errors: number;
  /** The 99th percentile of response times in milliseconds; null if unknown. */
  readonly p99: number | null;
}

export const noTraffic: TrafficSample = { requests: 0, errors: 0, p99: null };

/** Counts from its start. */
export interface Observation {
  read(): Promise<PerEnvironment<TrafficSample>>;
  close(): void;
}

/** The source of the figures: the counters of the load balancer, or Prometheus. */
export interface TrafficMetrics {
  observe(): Promise<Observation>;
}

/** The share of requests that failed, from 0 to 1; null without requests. */
export function errorRateOf({ requests, errors }: TrafficSample): number | null {
  return requests === 0 ? null : errors / requests;
}
