import { claimed } from '../claims/index.js';
import { DeployError } from '../deploy-error.js';
import {
  otherThan,
  ownerOf,
  splitOf,
  waitUntilReady,
  type RolloutNote,
  type TrafficPlatform,
} from '../platform/index.js';
import { Canary } from './canary.js';
import type { CanaryOptions } from './canary-options.js';
import type { CanaryOutcome, CanaryProgress } from './canary-progress.js';

/** What `startCanary` deploys: the version and its number of instances. */
export interface CanaryRequest {
  /** The version to install in the idle environment. Absent: the version that already runs there. */
  readonly version?: string;
  /** Default: as many as the old version has. */
  readonly instances?: number;
}

type Report = (progress: CanaryProgress) => void;

/** Installs the new version in the idle environment, waits until it is ready, and moves the traffic to it in stages. */
export function startCanary(
  platform: TrafficPlatform,
  request: CanaryRequest,
  options: CanaryOptions,
  report: Report,
  signal: AbortSignal,
): Promise<CanaryOutcome> {
  return claimed(platform, 'canary', async (mine) => {
    const note = await prepared(mine, request, options, signal);
    return await new Canary(mine, note, options, report).run(signal);
  });
}

/** Resumes the canary of a controller that stopped. Its current stage starts again. */
export function resumeCanary(
  platform: TrafficPlatform,
  options: CanaryOptions,
  report: Report,
  signal: AbortSignal,
): Promise<CanaryOutcome> {
  return claimed(platform, 'canary', async (mine) => {
    const note = await leftBehind(mine);
    return await new Canary(mine, note, options, report).run(signal);
  });
}

/** Reverts the canary of a controller that stopped. */
export function abortCanary(platform: TrafficPlatform): Promise<RolloutNote> {
  return claimed(platform, 'rollback', async (mine) => {
    const note = await leftBehind(mine);
    await mine.setSplit(splitOf(note.from, 100));
    await mine.forceByHeader(null);
    await mine.setServed(note.to, false);
    await mine.setNote(null);
    return note;
  });
}

async function leftBehind(platform: TrafficPlatform): Promise<RolloutNote> {
  const note = await platform.note();
  if (note === null) throw new DeployError('conflict', 'There is no canary to resume or revert.');
  return note;
}

/** Installs the new version and waits until it is ready. Moves no traffic yet. */
async function prepared(
  platform: TrafficPlatform,
  { version, instances }: CanaryRequest,
  { stages, readyMs, pollMs }: CanaryOptions,
  signal: AbortSignal,
): Promise<RolloutNote> {
  if ((await platform.note()) !== null) {
    throw new DeployError(
      'conflict',
      'A canary is already in progress. Continue with --resume, or revert it with svc deploy rollback.',
    );
  }
  const from = ownerOf(await platform.split());
  if (from === null) {
    throw new DeployError(
      'conflict',
      'Both environments have traffic. Run svc deploy rollback to send all traffic to one of them.',
    );
  }
  const to = otherThan(from);
  await platform.setServed(from, true);
  const wanted = instances ?? Math.max(1, (await platform.status(from)).wanted);
  if (version !== undefined) await platform.install(to, version, wanted);
  const limits = { limitMs: readyMs, pollMs: Math.min(pollMs, 1000), signal };
  const status = await waitUntilReady(platform, to, version === undefined ? 1 : wanted, limits);
  return {
    from,
    to,
    version: version ?? status.version,
    stages,
    stage: 0,
  };
}
