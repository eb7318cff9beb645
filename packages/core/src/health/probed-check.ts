import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';
import type { HealthEntry, HealthOptions } from './health-report.js';

/** A check with its time limit, and its last answer. A check that hangs is not asked again while it does. */
export class ProbedCheck {
  readonly check: HealthCheck;
  readonly #timeLimitMs: number;
  readonly #cacheMs: number;
  readonly #report: (error: unknown) => void;
  #running: Promise<HealthResult> | null = null;
  #latest: Promise<HealthEntry> | null = null;
  #goodUntil = 0;

  constructor(check: HealthCheck, defaults: Required<HealthOptions>) {
    this.check = check;
    this.#timeLimitMs = check.timeLimitMs ?? defaults.timeLimitMs;
    this.#cacheMs = check.cacheMs ?? defaults.cacheMs;
    this.#report = defaults.report;
  }

  ask(): Promise<HealthEntry> {
    if (this.#latest === null || performance.now() >= this.#goodUntil) {
      // Until the answer is there, everybody who asks waits for the same one.
      this.#goodUntil = Number.POSITIVE_INFINITY;
      this.#latest = this.#answer();
    }
    return this.#latest;
  }

  async #answer(): Promise<HealthEntry> {
    const { name, tags } = this.check;
    const time = new Date();
    const started = performance.now();
    const result = await this.#withinLimit();
    const now = performance.now();
    this.#goodUntil = now + this.#cacheMs;
    return { name, tags, time, durationMs: Math.round(now - started), ...result };
  }

  async #withinLimit(): Promise<HealthResult> {
    const controller = new AbortController();
    this.#running ??= this.#run(controller.signal);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<HealthResult>((resolve) => {
      timer = setTimeout(() => resolve(tooLate(this.#timeLimitMs)), this.#timeLimitMs);
    });
    try {
      return await Promise.race([this.#running, late]);
    } finally {
      clearTimeout(timer);
      controller.abort();
    }
  }

  async #run(signal: AbortSignal): Promise<HealthResult> {
    try {
      return await this.check.check(signal);
    } catch (error) {
      this.#report(error);
      // What was thrown may name hosts and users; the report has it.
      return { status: HealthStatus.Unhealthy, description: 'The check failed.' };
    } finally {
      this.#running = null;
    }
  }
}

function tooLate(limitMs: number): HealthResult {
  return { status: HealthStatus.Unhealthy, description: `The check did not answer within ${limitMs} ms.` };
}
