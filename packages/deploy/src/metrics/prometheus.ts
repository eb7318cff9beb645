import { withoutCredentials } from '../credentials.js';
import { DeployError, messageOf } from '../deploy-error.js';
import { perEnvironment, type Environment, type PerEnvironment } from '../platform/environments.js';
import type { Observation, TrafficMetrics, TrafficSample } from './observation.js';

/** `{environment}` and `{service}` in the selectors are replaced. */
export interface PrometheusSettings {
  /** The URL of the Prometheus server. */
  readonly url: string;
  /** A counter of responses, with its labels: `istio_requests_total{destination_service_name="{service}-{environment}"}`. */
  readonly requests: string;
  /** Its label with the status code. Default: `code`. */
  readonly statusLabel: string;
  /** The buckets of a histogram of durations, for p99. */
  readonly durationBuckets?: string;
  /** Seconds per unit of the histogram: 1, or 0.001 for milliseconds. Default: 1. */
  readonly secondsPerUnit: number;
}

/** Reads the gateway's figures from Prometheus. */
export class PrometheusMetrics implements TrafficMetrics {
  readonly #settings: PrometheusSettings;
  readonly #service: string;

  constructor(settings: PrometheusSettings, service: string) {
    this.#settings = settings;
    this.#service = service;
  }

  observe(): Promise<Observation> {
    const started = Date.now();
    return Promise.resolve({
      read: () => this.#read(Math.max(1, Math.ceil((Date.now() - started) / 1000))),
      close() {},
    });
  }

  async #read(seconds: number): Promise<PerEnvironment<TrafficSample>> {
    const [blue, green] = await Promise.all([this.#sample('blue', seconds), this.#sample('green', seconds)]);
    return perEnvironment((environment) => (environment === 'blue' ? blue : green));
  }

  /** Requests and errors come from one metric: a misspelled name then reads as "no data" instead of "no errors". */
  async #sample(environment: Environment, seconds: number): Promise<TrafficSample> {
    const { requests: selector, statusLabel, durationBuckets, secondsPerUnit } = this.#settings;
    const increase = (metric: string): string => `increase(${this.#filled(metric, environment)}[${seconds}s])`;
    const rows = await this.#query(`sum by (${statusLabel}) (${increase(selector)})`);
    let requests = 0;
    let errors = 0;
    for (const { metric, value } of rows) {
      const status = metric[statusLabel];
      if (status === undefined) {
        throw new DeployError(
          'invalid',
          `The metric ${selector} has no label ${statusLabel}. Set prometheus.statusLabel.`,
        );
      }
      const count = Number(value[1]);
      requests += count;
      if (status.startsWith('5') || !/^\d/.test(status)) errors += count;
    }
    if (durationBuckets === undefined || requests === 0) return { ...rounded(requests, errors), p99: null };
    const [quantile] = await this.#query(`histogram_quantile(0.99, sum by (le) (${increase(durationBuckets)}))`);
    const p99 = Number(quantile?.value[1]) * secondsPerUnit * 1000;
    return { ...rounded(requests, errors), p99: Number.isFinite(p99) ? p99 : null };
  }

  #filled(metric: string, environment: Environment): string {
    return metric.replaceAll('{environment}', environment).replaceAll('{service}', this.#service);
  }

  async #query(query: string): Promise<readonly Row[]> {
    const { url, headers } = withoutCredentials(this.#settings.url);
    const { origin } = url;
    let answer: { status?: string; error?: string; data?: { result?: Row[] } };
    try {
      const response = await fetch(new URL('/api/v1/query', origin), {
        method: 'POST',
        body: new URLSearchParams({ query }),
        headers,
        signal: AbortSignal.timeout(10_000),
      });
      answer = (await response.json()) as typeof answer;
    } catch (error) {
      throw new DeployError('unreachable', `Prometheus at ${origin}: ${messageOf(error)}`, {
        cause: error,
      });
    }
    if (answer.status !== 'success') throw new DeployError('refused', `Prometheus rejected ${query}: ${answer.error}`);
    return answer.data?.result ?? [];
  }
}

interface Row {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** `increase` extrapolates to fractions of a request. */
function rounded(requests: number, errors: number): { requests: number; errors: number } {
  return { requests: Math.round(requests), errors: Math.min(Math.round(requests), Math.ceil(errors)) };
}
