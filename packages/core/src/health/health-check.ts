/** How a part of the host is. */
export const HealthStatus = { Healthy: 'Healthy', Degraded: 'Degraded', Unhealthy: 'Unhealthy' } as const;
export type HealthStatus = (typeof HealthStatus)[keyof typeof HealthStatus];

/** The answer of a health check. */
export interface HealthResult {
  readonly status: HealthStatus;
  /** One sentence for an operator. Probes may be open to everybody: it names no host, no user and no secret. */
  readonly description?: string;
  /** Figures that explain the status. */
  readonly data?: Readonly<Record<string, string | number | boolean | null>>;
}

/** One named question about the host. It asks connections that are there already, and opens none. */
export interface HealthCheck {
  readonly name: string;
  /** What probes choose by. */
  readonly tags: readonly string[];
  /** How long it may take. Default: that of the pipeline. */
  readonly timeLimitMs?: number;
  /** How long an answer is used again. Default: that of the pipeline. */
  readonly cacheMs?: number;
  check(signal: AbortSignal): HealthResult | Promise<HealthResult>;
}

const order = [HealthStatus.Healthy, HealthStatus.Degraded, HealthStatus.Unhealthy];

/** The worst of several; nothing to ask is healthy. */
export function worst(statuses: Iterable<HealthStatus>): HealthStatus {
  let found: HealthStatus = HealthStatus.Healthy;
  for (const status of statuses) if (order.indexOf(status) > order.indexOf(found)) found = status;
  return found;
}
