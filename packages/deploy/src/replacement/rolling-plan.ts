import type { RollingLimits } from '../platform/index.js';

/** The state of a rolling update. Only ready instances get traffic and count as available. */
export interface RollingState {
  readonly wanted: number;
  readonly oldReady: number;
  readonly oldUnready: number;
  readonly newReady: number;
  /** Started but not yet ready. */
  readonly newStarting: number;
}

/** How many instances to start and how many old ones to stop; all 0: wait. */
export interface RollingStep {
  readonly start: number;
  readonly stopReady: number;
  readonly stopUnready: number;
}

/**
 * The next step of a rolling update. At every moment at most `wanted + maxSurge` instances exist and at least `wanted - maxUnavailable`
 * are ready. Unready old instances stop first, but no more than could be missed if they were ready: their state may be temporary.
 */
export function rollingStep(state: RollingState, { maxUnavailable, maxSurge }: RollingLimits): RollingStep {
  const { wanted, oldReady, oldUnready, newReady, newStarting } = state;
  const existing = oldReady + oldUnready + newReady;
  const missing = wanted - newReady - newStarting;
  const minReady = wanted - maxUnavailable;
  return {
    start: Math.max(0, Math.min(missing, wanted + maxSurge - existing - newStarting)),
    stopReady: Math.max(0, Math.min(oldReady, oldReady + newReady - minReady)),
    stopUnready: Math.max(0, Math.min(oldUnready, existing - minReady)),
  };
}
