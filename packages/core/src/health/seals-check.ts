import type { SealsStanding } from '../seals/index.js';
import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';

/** What the check needs of the seals of a database. */
interface CheckedSeals {
  readonly standing: SealsStanding;
}

/** Degraded if events cannot be sealed, or an anchor does not accept checkpoints. Never Unhealthy: commands do not depend on it. */
export function sealsChecks(seals: CheckedSeals | null): readonly HealthCheck[] {
  if (seals === null) return [];
  const check = (): Promise<HealthResult> => Promise.resolve(resultOf(seals.standing));
  return [{ name: 'svc_seals', tags: ['seals'], check }];
}

function resultOf({ isHolder, last, failure, anchors }: SealsStanding): HealthResult {
  const data = {
    sealsHere: isHolder,
    checkpoint: last?.number ?? null,
    sealedEvents: last?.size ?? null,
    sealedAt: last?.time ?? null,
    anchors: anchors.map(({ name, anchored }) => `${name}: ${anchored ?? 'unknown'}`).join(', '),
  };
  if (failure !== null) {
    return { status: HealthStatus.Degraded, description: `Events cannot be sealed: ${failure}`, data };
  }
  const failed = anchors.filter((anchor) => anchor.failure !== null);
  if (failed.length === 0) return { status: HealthStatus.Healthy, data };
  const description = failed.map(
    ({ name, failure: why }) => `The anchor ${name} does not accept checkpoints: ${why}. svc retries.`,
  );
  return { status: HealthStatus.Degraded, description: description.join(' '), data };
}
