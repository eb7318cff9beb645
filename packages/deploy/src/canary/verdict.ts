import type { TrafficSample } from '../metrics/observation.js';
import type { CanaryOptions } from './canary-options.js';

/** What is known of a stage: go on watching, go to the next, or give up because of errors or because nobody came. */
export type Verdict = 'watching' | 'passed' | 'failing' | 'no-data';

/** Judges the new version by what it did in one stage. Silence is never taken for health. */
export function judge(
  { requests, errors }: TrafficSample,
  elapsedMs: number,
  { stageMs, noDataMs, minRequests, maxErrorRate }: CanaryOptions,
): Verdict {
  // Counted against the least sample as well: too few requests can say "bad" long before they can say "good".
  if (errors > maxErrorRate * Math.max(requests, minRequests)) return 'failing';
  if (elapsedMs < stageMs) return 'watching';
  if (requests >= minRequests) return 'passed';
  return elapsedMs < stageMs + noDataMs ? 'watching' : 'no-data';
}
