import type { TrafficSample } from '../metrics/observation.js';
import type { CanaryOptions } from './canary-options.js';

/** The verdict on a stage: keep watching, go to the next stage, or revert because of errors or of too few requests. */
export type Verdict = 'watching' | 'passed' | 'failing' | 'no-data';

/** Judges the new version by its traffic in one stage. No traffic never counts as healthy. */
export function judge(
  { requests, errors }: TrafficSample,
  elapsedMs: number,
  { stageMs, noDataMs, minRequests, maxErrorRate }: CanaryOptions,
): Verdict {
  // Compare with the minimum sample too: a few errors can fail a stage long before it can pass.
  if (errors > maxErrorRate * Math.max(requests, minRequests)) return 'failing';
  if (elapsedMs < stageMs) return 'watching';
  if (requests >= minRequests) return 'passed';
  return elapsedMs < stageMs + noDataMs ? 'watching' : 'no-data';
}
