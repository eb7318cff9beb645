import type { Subscription } from '../transport/index.js';
import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';

export interface WatchedSubscriptions {
  /** How many there should be. */
  readonly wanted: number;
  readonly opened: () => readonly Subscription[];
  /** What else operators should see of them. */
  readonly data: () => Readonly<Record<string, number>>;
}

/**
 * The state of the transport's subscriptions, of which there should be `wanted`: Degraded when some are down, Unhealthy when all are. One
 * that could not be opened is down. A host that wants none has none that could be.
 */
export function subscriptionsCheck(watched: WatchedSubscriptions): HealthCheck {
  return {
    name: 'subscriptions',
    tags: ['transport', 'subscriptions'],
    check: () => stateOf(watched),
  };
}

function stateOf({ wanted, opened, data: more }: WatchedSubscriptions): HealthResult {
  const down = wanted - opened().filter(({ isUp }) => isUp).length;
  const data = { subscriptions: wanted, down, ...more() };
  if (down === 0) return { status: HealthStatus.Healthy, data };
  const all = down === wanted;
  return {
    status: all ? HealthStatus.Unhealthy : HealthStatus.Degraded,
    description: all ? 'No subscription is up.' : 'Some subscriptions are down.',
    data,
  };
}
