import { HealthStatus, type HealthCheck } from './health-check.js';

/** Whether the host takes new work: it says no as soon as it is about to end, so that nobody sends any. */
export function drainCheck(isDraining: () => boolean): HealthCheck {
  return {
    name: 'drain',
    tags: ['ready'],
    // Nobody may be sent here for another second.
    cacheMs: 0,
    check: () =>
      isDraining()
        ? { status: HealthStatus.Unhealthy, description: 'The host is draining.' }
        : { status: HealthStatus.Healthy },
  };
}
