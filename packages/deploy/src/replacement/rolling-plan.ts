import type { RollingLimits } from '../platform/index.js';

/** Where a rolling update stands. Old instances that are ready, and new ones that are ready or on their way. */
export interface RollingState {
  readonly wanted: number;
  readonly old: number;
  readonly newReady: number;
  readonly newStarting: number;
}

/** How many to start and how many old ones to stop now; both 0: wait. */
export interface RollingStep {
  readonly start: number;
  readonly stop: number;
}

/**
 * The next step of a rolling update. At every moment at most `wanted + maxSurge` instances exist and at least
 * `wanted - maxUnavailable` of them are ready.
 */
export function rollingStep(state: RollingState, { maxUnavailable, maxSurge }: RollingLimits): RollingStep {
  const { wanted, old, newReady, newStarting } = state;
  const total = old + newReady + newStarting;
  const missing = wanted - newReady - newStarting;
  const start = Math.max(0, Math.min(missing, wanted + maxSurge - total));
  const spare = old + newReady - (wanted - maxUnavailable);
  const stop = Math.max(0, Math.min(old, spare));
  return { start, stop };
}
