import type { DatabaseClock } from '../storage/index.js';
import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';

/** Clocks that differ by more are worth a look. */
export const mostSkewMs = 100;

/**
 * Compares the clock of this host with that of the database, if the database has its own clock. Never Unhealthy: ids stay in causal
 * order whatever the clocks say. Only times in records are wrong.
 */
export function clockChecks(clock: DatabaseClock): readonly HealthCheck[] {
  if (!clock.isOther) return [];
  const check = async (): Promise<HealthResult> => {
    try {
      const { ms, uncertaintyMs } = await clock.measure();
      const data = { skewMs: Math.round(ms), uncertaintyMs: Math.ceil(uncertaintyMs) };
      if (Math.abs(ms) - uncertaintyMs <= mostSkewMs) return { status: HealthStatus.Healthy, data };
      const description = `The clock of this host is ${Math.round(Math.abs(ms))} ms ${ms > 0 ? 'ahead of' : 'behind'} that of the database. Synchronize both with the same time source (NTP): \`timedatectl\` shows which of them is not.`;
      return { status: HealthStatus.Degraded, description, data };
    } catch {
      // The check of the database says what is the matter.
      const { ageMs } = clock;
      const last = ageMs === null ? 'It has not yet' : `It last did ${Math.round(ageMs / 1_000)} s ago`;
      const description = `The database does not say what time it is. ${last}. See svc_relational_db for the cause.`;
      return {
        status: HealthStatus.Degraded,
        description,
        ...(ageMs !== null && { data: { ageMs: Math.round(ageMs) } }),
      };
    }
  };
  return [{ name: 'svc_clock', tags: [], check }];
}
