import type { TrafficSample } from '../metrics/observation.js';
import type { Environment, Split } from '../platform/index.js';

/** Told while a canary runs. */
export type CanaryProgress =
  | { readonly kind: 'begun'; readonly from: Environment; readonly to: Environment; readonly version: string | null }
  | {
      readonly kind: 'stage';
      /** Percent to the new version. */
      readonly stage: number;
      readonly split: Split;
      /** Of the new version, in this stage. */
      readonly sample: TrafficSample;
      readonly elapsedMs: number;
      readonly stageMs: number;
      /** Fewer requests than needed, and the stage's time is over. */
      readonly waitingForData: boolean;
    }
  | {
      readonly kind: 'passed';
      readonly stage: number;
      readonly split: Split;
      readonly sample: TrafficSample;
      /** Of the old version, in the same time. */
      readonly old: TrafficSample;
    }
  | { readonly kind: 'lost'; readonly error: string }
  | { readonly kind: 'ended'; readonly outcome: CanaryOutcome };

/** How a canary ended. The split is the one in force, or null when the platform could not be asked. */
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
