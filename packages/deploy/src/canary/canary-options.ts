import { DeployError } from '../deploy-error.js';

/** The stages of a canary and the limits that decide whether it continues. */
export interface CanaryOptions {
  /** Percent of the traffic for the new version, stage by stage. Default: 10, 25, 50, 75, 100. */
  readonly stages: readonly number[];
  /** How long a stage is watched. Default: 5 minutes. */
  readonly stageMs: number;
  /** How often the counters are read. Default: 5 s. */
  readonly pollMs: number;
  /** Above this error rate, the canary is reverted. Default: 0.05. */
  readonly maxErrorRate: number;
  /** With fewer requests, a stage cannot pass. Default: 50. */
  readonly minRequests: number;
  /** How long to wait for enough requests after a stage's time is over. Default: one stage. */
  readonly noDataMs: number;
  /** How long the platform may be unreachable before the canary is given up. Default: 1 minute. */
  readonly lostMs: number;
  /** How long the new version's instances may take to become ready. Default: 5 minutes. */
  readonly readyMs: number;
}

/** The defaults of `CanaryOptions`. */
export const defaultCanaryOptions: CanaryOptions = {
  stages: [10, 25, 50, 75, 100],
  stageMs: 300_000,
  pollMs: 5000,
  maxErrorRate: 0.05,
  minRequests: 50,
  noDataMs: 300_000,
  lostMs: 60_000,
  readyMs: 300_000,
};

/** Adds the defaults to the given options and rejects invalid values. */
export function canaryOptions(given: Partial<CanaryOptions> = {}): CanaryOptions {
  const options = { ...defaultCanaryOptions, noDataMs: given.stageMs ?? defaultCanaryOptions.noDataMs, ...given };
  const { stages, maxErrorRate, minRequests } = options;
  const isRising = stages.every((stage, i) => Number.isInteger(stage) && stage > (stages[i - 1] ?? 0));
  if (!isRising || stages.at(-1) !== 100) {
    throw new DeployError(
      'invalid',
      `Invalid stages ${stages.join(', ')}. Stages must be whole percents that increase to 100.`,
    );
  }
  if (!(maxErrorRate >= 0 && maxErrorRate < 1)) {
    throw new DeployError('invalid', `The maximum error rate must be at least 0 and below 1, not ${maxErrorRate}.`);
  }
  if (!Number.isInteger(minRequests) || minRequests < 1) {
    throw new DeployError(
      'invalid',
      `The minimum number of requests must be a whole number of at least 1, not ${minRequests}.`,
    );
  }
  return options;
}
