import { ServiceError } from '../errors/index.js';
import { worst, type HealthCheck } from './health-check.js';
import type { HealthOptions, HealthReport } from './health-report.js';
import { ProbedCheck } from './probed-check.js';

/** Runs the checks of a host concurrently. Each check runs once at a time, and its result is cached, however many probes ask. */
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
