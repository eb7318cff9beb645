import type { HealthResult, HealthStatus } from './health-check.js';

/** The answer of one check. */
export interface HealthEntry extends HealthResult {
  readonly name: string;
  readonly tags: readonly string[];
  /** When the check was asked; the answer is used again for a moment. */
  readonly time: Date;
  readonly durationMs: number;
}

/** The answers of all selected checks, and the worst status of them. */
export interface HealthReport {
  readonly status: HealthStatus;
  readonly entries: readonly HealthEntry[];
}

export interface HealthOptions {
  /** How long a check may take. Default: 2,000. */
  readonly timeLimitMs?: number;
  /** How long an answer is used again. Default: 1,000. */
  readonly cacheMs?: number;
  /** Receives the errors that checks throw. Default: they are ignored. */
  readonly report?: (error: unknown) => void;
}
