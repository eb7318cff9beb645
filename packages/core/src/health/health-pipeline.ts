import { ServiceError } from '../errors/index.js';
import { worst, type HealthCheck, type HealthResult, type HealthStatus } from './health-check.js';
import { ProbedCheck } from './probed-check.js';

/** The answer of one check. */
export interface HealthEntry extends HealthResult {
  readonly name: string;
  readonly tags: readonly string[];
  /** When the check was asked; the answer is used again for a moment. */
  readonly time: Date;
  readonly durationMs: number;
}

export interface HealthReport {
  readonly status: HealthStatus;
  readonly entries: readonly HealthEntry[];
}

export interface HealthOptions {
  /** How long a check may take. Default: 2,000. */
  readonly timeLimitMs?: number;
  /** How long an answer is used again. Default: 1,000. */
  readonly cacheMs?: number;
  /** Told of what checks throw. Default: nobody. */
  readonly report?: (error: unknown) => void;
}

/** Asks the checks of a host, side by side. However many probes ask, each check runs once at a time and once in a while. */
export class HealthPipeline {
  readonly #checks: readonly ProbedCheck[];

  constructor(checks: readonly HealthCheck[], options: HealthOptions = {}) {
    const { timeLimitMs = 2_000, cacheMs = 1_000, report = () => {} } = options;
    const names = checks.map(({ name }) => name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) {
      throw new ServiceError('SVC_DUPLICATE_HEALTH_CHECK', `Two health checks are called ${twice}. Names are unique.`);
    }
    this.#checks = checks.map((check) => new ProbedCheck(check, { timeLimitMs, cacheMs, report }));
  }

  /** Asks the checks that `wanted` chooses; by default all of them. */
  async run(wanted: (check: HealthCheck) => boolean = () => true): Promise<HealthReport> {
    const chosen = this.#checks.filter(({ check }) => wanted(check));
    const entries = await Promise.all(chosen.map((check) => check.ask()));
    return { status: worst(entries.map(({ status }) => status)), entries };
  }
}
