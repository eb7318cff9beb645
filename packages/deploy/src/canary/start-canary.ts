import { DeployError } from '../deploy-error.js';
import {
  otherThan,
  ownerOf,
  splitOf,
  waitUntilReady,
  type RolloutNote,
  type TrafficPlatform,
} from '../platform/index.js';
import { requireFree, self } from './canary-note.js';
import type { CanaryOptions } from './canary-options.js';

export interface CanaryRequest {
  /** What to put into the idle environment. Absent: what runs there already. */
  readonly version?: string;
  /** Default: as many as the old version has. */
  readonly instances?: number;
}

/** Puts the new version into the idle environment, waits until it is ready, and notes what is to come. No traffic moves yet. */
export async function startCanary(
  platform: TrafficPlatform,
  { version, instances }: CanaryRequest,
  { stages, readyMs, pollMs }: CanaryOptions,
  signal: AbortSignal,
): Promise<RolloutNote> {
  if ((await platform.note()) !== null) {
    throw new DeployError(
      'conflict',
      'A canary was begun here before. Go on with --resume, or end it with svc deploy rollback.',
    );
  }
  const from = ownerOf(await platform.split());
  if (from === null) {
    throw new DeployError(
      'conflict',
      'Both environments have traffic. Send everything to one first: svc deploy rollback.',
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
    controller: await self(),
    seen: new Date().toISOString(),
  };
}

/** The canary that a controller left behind. Its stage begins anew. */
export async function resumeCanary(platform: TrafficPlatform): Promise<RolloutNote> {
  const note = await platform.note();
  if (note === null) throw new DeployError('conflict', 'There is no canary to resume.');
  await requireFree(note);
  return note;
}

/** Takes a canary back that a controller left behind. */
export async function abortCanary(platform: TrafficPlatform, note: RolloutNote): Promise<void> {
  await requireFree(note);
  await platform.setSplit(splitOf(note.from, 100));
  await platform.forceByHeader(null);
  await platform.setServed(note.to, false);
  await platform.setNote(null);
}
