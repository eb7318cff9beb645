import { DeployError } from '../deploy-error.js';

export interface CanaryOptions {
  /** Percent to the new version, one stage after the other. Default: 10, 25, 50, 75, 100. */
  readonly stages: readonly number[];
  /** How long a stage is watched. Default: 5 minutes. */
  readonly stageMs: number;
  /** How often the counters are read. Default: 5 s. */
  readonly pollMs: number;
  /** Above it, everything goes back to the old version. Default: 0.05. */
  readonly maxErrorRate: number;
  /** Fewer requests than this say nothing. Default: 50. */
  readonly minRequests: number;
  /** How much longer than a stage to wait for enough requests. Default: one stage. */
  readonly noDataMs: number;
  /** How long the platform may be out of reach before the rollout is given up. Default: 1 minute. */
  readonly lostMs: number;
  /** How long the new version's instances may take to become ready. Default: 5 minutes. */
  readonly readyMs: number;
}

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

export function canaryOptions(given: Partial<CanaryOptions> = {}): CanaryOptions {
  const options = { ...defaultCanaryOptions, noDataMs: given.stageMs ?? defaultCanaryOptions.noDataMs, ...given };
  const { stages, maxErrorRate, minRequests } = options;
  const isRising = stages.every((stage, i) => Number.isInteger(stage) && stage > (stages[i - 1] ?? 0));
  if (!isRising || stages.at(-1) !== 100) {
    throw new DeployError('invalid', `Stages are whole percents that rise to 100, not ${stages.join(', ')}.`);
  }
  if (!(maxErrorRate >= 0 && maxErrorRate < 1)) {
    throw new DeployError('invalid', `The error rate to revert at is at least 0 and below 1, not ${maxErrorRate}.`);
  }
  if (!Number.isInteger(minRequests) || minRequests < 1) {
    throw new DeployError('invalid', `At least 1 request is needed to judge a stage, not ${minRequests}.`);
  }
  return options;
}
