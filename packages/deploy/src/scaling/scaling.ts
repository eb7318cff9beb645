import { claimed } from '../claims/index.js';
import { DeployError } from '../deploy-error.js';
import {
  requireNoCanary,
  waitUntilReady,
  type Environment,
  type EnvironmentStatus,
  type TrafficPlatform,
} from '../platform/index.js';

export interface Installation {
  readonly environment: Environment;
  readonly version: string;
  readonly instances: number;
}

/** Puts a version into an environment that has no traffic, and waits until its instances are ready. */
export function installInto(
  platform: TrafficPlatform,
  { environment, version, instances }: Installation,
  limits: { readonly limitMs: number; readonly pollMs: number; readonly signal: AbortSignal },
): Promise<EnvironmentStatus> {
  return claimed(platform, 'install', async (mine) => {
    await requireNoCanary(mine);
    await mine.install(environment, version, instances);
    return await waitUntilReady(mine, environment, instances, limits);
  });
}

/** Changes the number of instances of an environment. The last one of what has traffic stays. */
export function scaleTo(platform: TrafficPlatform, environment: Environment, instances: number): Promise<void> {
  return claimed(platform, 'scale', async (mine) => {
    const { [environment]: share } = await mine.split();
    if (instances === 0 && share > 0) {
      throw new DeployError(
        'conflict',
        `${environment} has ${share} % of the traffic: without an instance it would be turned away. Send it to the other environment first.`,
      );
    }
    await mine.scale(environment, instances);
  });
}
