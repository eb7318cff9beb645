import type { Subscription } from '../transport/index.js';
import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';

/** The state of the transport's subscriptions: Degraded when some are down, Unhealthy when all are. */
export function subscriptionsCheck(subscriptions: () => readonly Subscription[]): HealthCheck {
  return {
    name: 'subscriptions',
    tags: ['transport', 'subscriptions'],
    check: () => stateOf(subscriptions()),
  };
}

function stateOf(subscriptions: readonly Subscription[]): HealthResult {
  const down = subscriptions.filter(({ isUp }) => !isUp).length;
  const data = { subscriptions: subscriptions.length, down };
  if (down === 0 && subscriptions.length > 0) return { status: HealthStatus.Healthy, data };
  const all = down === subscriptions.length;
  return {
    status: all ? HealthStatus.Unhealthy : HealthStatus.Degraded,
    description: all ? 'No subscription is up.' : 'Some subscriptions are down.',
    data,
  };
}
