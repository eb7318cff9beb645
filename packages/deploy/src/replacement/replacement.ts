import { claimed } from '../claims/index.js';
import { DeployError } from '../deploy-error.js';
import { requireNoCanary } from '../platform/index.js';
import type {
  ReplacementProgress,
  ReplacementWatch,
  Revision,
  RollingLimits,
  TrafficPlatform,
} from '../platform/index.js';

/** At most 1 unavailable and at most 2 extra. */
export const defaultRollingLimits: RollingLimits = { maxUnavailable: 1, maxSurge: 2 };

/** The version that a rolling update or a recreate deploys, and how it reports progress. */
export interface ReplacementRequest {
  readonly version: string | Revision;
  readonly limits?: RollingLimits;
  readonly onProgress?: (progress: ReplacementProgress) => void;
  readonly signal: AbortSignal;
}

/** Replaces the instances of the serving environment step by step, within the limits. */
export function rolloutRolling(platform: TrafficPlatform, request: ReplacementRequest): Promise<void> {
  return claimed(platform, 'rolling update', (mine) => roll(mine, request));
}

async function roll(platform: TrafficPlatform, request: ReplacementRequest): Promise<void> {
  const { version, limits = defaultRollingLimits } = request;
  if (limits.maxUnavailable === 0 && limits.maxSurge === 0) {
    throw new DeployError(
      'invalid',
      '--max-unavailable and --max-surge are both 0: no instance can be replaced. Raise one of them.',
    );
  }
  await requireNoCanary(platform);
  await platform.rollingUpdate(version, await withoutOutage(platform, limits), watchOf(request));
}

/** At least one instance stays available: with a single instance, an extra one starts before it stops. */
async function withoutOutage(platform: TrafficPlatform, limits: RollingLimits): Promise<RollingLimits> {
  if (limits.maxSurge === 0) return limits;
  const { wanted } = await platform.status(await platform.front());
  return { ...limits, maxUnavailable: Math.min(limits.maxUnavailable, Math.max(0, wanted - 1)) };
}

/** Stops all instances before starting any. Rejects a critical service unless `evenIfCritical`. */
export async function rolloutRecreate(
  platform: TrafficPlatform,
  {
    evenIfCritical = false,
    ...request
  }: ReplacementRequest & { readonly version: string; readonly evenIfCritical?: boolean },
): Promise<void> {
  if (!evenIfCritical && (await platform.isCritical())) {
    throw new DeployError(
      'refused',
      'This service is marked critical, and recreate would make it unavailable. Use rolling, blue-green or canary, or pass --even-if-critical.',
    );
  }
  await claimed(platform, 'recreate', async (mine) => {
    await requireNoCanary(mine);
    await mine.recreate(request.version, watchOf(request));
  });
}

/** Rolls back to the given revision, or to the previous one. */
export function rollback(
  platform: TrafficPlatform,
  { revision, ...request }: Omit<ReplacementRequest, 'version'> & { readonly revision?: number },
): Promise<Revision> {
  return claimed(platform, 'rollback', async (mine) => {
    const version = await earlier(mine, revision);
    await roll(mine, { ...request, version });
    return version;
  });
}

async function earlier(platform: TrafficPlatform, revision: number | undefined): Promise<Revision> {
  const known = await platform.revisions();
  const target =
    revision === undefined
      ? known.findLast(({ current }) => !current)
      : known.find((candidate) => candidate.revision === revision);
  if (target === undefined) {
    const list = known.map(({ revision: number, version }) => `${number} (${version})`).join(', ') || 'none';
    throw new DeployError(
      'invalid',
      revision === undefined
        ? `No earlier revision exists. Known revisions: ${list}.`
        : `Revision ${revision} does not exist. Known revisions: ${list}.`,
    );
  }
  return target;
}

function watchOf({ onProgress = () => {}, signal }: Omit<ReplacementRequest, 'version'>): ReplacementWatch {
  return { onProgress, signal };
}
