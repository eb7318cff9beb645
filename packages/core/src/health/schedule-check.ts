import type { Storage } from '../storage/index.js';
import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';

/** Commands that have been due for less are about to run. */
const graceMs = 30_000;

/** More overdue commands are not counted. */
const mostCounted = 10_000;

/** Degraded if scheduled commands are overdue. Never Unhealthy: a host that is taken out of traffic does not run them sooner. */
export function scheduleChecks({ schedule }: Pick<Storage, 'schedule'>): readonly HealthCheck[] {
  if (schedule === undefined) return [];
  const check = async (): Promise<HealthResult> => {
    try {
      const { overdue, lateMs } = await schedule.readStanding(graceMs, mostCounted);
      const data = { overdue, lateMs: Math.round(lateMs) };
      if (overdue === 0) return { status: HealthStatus.Healthy, data };
      const description = `Scheduled commands are overdue: ${overdue}. Run svc schedule list.`;
      return { status: HealthStatus.Degraded, description, data };
    } catch {
      // The check of the database reports the cause.
      return { status: HealthStatus.Degraded, description: 'The scheduled commands cannot be read.' };
    }
  };
  return [{ name: 'svc_schedule', tags: ['schedule'], check }];
}
