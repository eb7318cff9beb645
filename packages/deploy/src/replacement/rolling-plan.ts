import type { RollingLimits } from '../platform/index.js';

/** Where a rolling update stands. Only what is ready takes traffic, and counts as available. */
export interface RollingState {
  readonly wanted: number;
  readonly oldReady: number;
  readonly oldUnready: number;
  readonly newReady: number;
  /** On their way: started, and not ready yet. */
  readonly newStarting: number;
}

/** How many to start and how many old ones to stop now; all 0: wait. */
export interface RollingStep {
  readonly start: number;
  readonly stopReady: number;
  readonly stopUnready: number;
}

/**
 * The next step of a rolling update. At every moment at most `wanted + maxSurge` instances exist and at least
 * `wanted - maxUnavailable` of them are ready. Old ones that are not ready go before those that are; yet no more of them than could be
 * missed if they were: what keeps them all from being ready may pass.
 */
export function rollingStep(state: RollingState, { maxUnavailable, maxSurge }: RollingLimits): RollingStep {
  const { wanted, oldReady, oldUnready, newReady, newStarting } = state;
  const existing = oldReady + oldUnready + newReady;
  const missing = wanted - newReady - newStarting;
  const least = wanted - maxUnavailable;
  return {
    start: Math.max(0, Math.min(missing, wanted + maxSurge - existing - newStarting)),
    stopReady: Math.max(0, Math.min(oldReady, oldReady + newReady - least)),
    stopUnready: Math.max(0, Math.min(oldUnready, existing - least)),
  };
}
