import type { MigrationsState } from '../migrations/index.js';
import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';

/**
 * The state of the schema: Degraded while this host waits for another one that migrates, or a table is rewritten in the background;
 * Unhealthy when an item failed.
 */
export function migrationsCheck(state: () => MigrationsState): HealthCheck {
  return { name: 'svc_migrations', tags: ['migrations'], check: () => resultOf(state()) };
}

function resultOf({ isWaiting, inBackground, failed }: MigrationsState): HealthResult {
  const data = { isWaiting, inBackground: inBackground.length, failed: failed.length };
  if (failed.length > 0) {
    return { status: HealthStatus.Unhealthy, description: `Migrations failed: ${failed.join(', ')}.`, data };
  }
  if (isWaiting) {
    return { status: HealthStatus.Degraded, description: 'Another host migrates the schema; this one waits.', data };
  }
  if (inBackground.length > 0) {
    const description = `Migrated in the background: ${inBackground.join(', ')}.`;
    return { status: HealthStatus.Degraded, description, data };
  }
  return { status: HealthStatus.Healthy, data };
}
