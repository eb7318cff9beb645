import type { TrafficSample } from '../metrics/observation.js';
import type { Environment, Split } from '../platform/index.js';

/** Reported while a canary runs. */
export type CanaryProgress =
  | { readonly kind: 'begun'; readonly from: Environment; readonly to: Environment; readonly version: string | null }
  | {
      readonly kind: 'stage';
      /** Percent of the traffic for the new version. */
      readonly stage: number;
      readonly split: Split;
      /** Traffic of the new version in this stage. */
      readonly sample: TrafficSample;
      readonly elapsedMs: number;
      readonly stageMs: number;
      /** The stage's time is over, but there were too few requests to judge it. */
      readonly waitingForData: boolean;
    }
  | {
      readonly kind: 'passed';
      readonly stage: number;
      readonly split: Split;
      readonly sample: TrafficSample;
      /** Traffic of the old version in the same period. */
      readonly old: TrafficSample;
    }
  | { readonly kind: 'lost'; readonly error: string }
  | { readonly kind: 'ended'; readonly outcome: CanaryOutcome };

/** How a canary ended. `split` is the split in force, or null if the platform is unreachable. */
export type CanaryOutcome =
  | { readonly result: 'promoted'; readonly to: Environment; readonly split: Split }
  | {
      readonly result: 'reverted';
      readonly reason: 'error-rate' | 'no-data' | 'not-ready';
      readonly stage: number;
      readonly sample: TrafficSample;
      readonly split: Split;
    }
  | { readonly result: 'interrupted'; readonly stage: number; readonly split: Split }
  | { readonly result: 'unreachable'; readonly stage: number; readonly split: Split | null; readonly error: string };
