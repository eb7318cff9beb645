import { claimed } from '../claims/index.js';
import { DeployError } from '../deploy-error.js';
import {
  requireNoCanary,
  waitUntilReady,
  type Environment,
  type EnvironmentStatus,
  type TrafficPlatform,
} from '../platform/index.js';

/** A version, the environment to install it in, and its number of instances. */
export interface Installation {
  readonly environment: Environment;
  readonly version: string;
  readonly instances: number;
}

/** Deploys a version to an environment without traffic and waits until its instances are ready. */
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

/** Changes the number of instances of an environment. An environment with traffic retains at least one. */
export function scaleTo(platform: TrafficPlatform, environment: Environment, instances: number): Promise<void> {
  return claimed(platform, 'scale', async (mine) => {
    const { [environment]: share } = await mine.split();
    if (instances === 0 && share > 0) {
      throw new DeployError(
        'conflict',
        `Cannot scale ${environment} to 0: it has ${share} % of the traffic. Move the traffic to the other environment first.`,
      );
    }
    await mine.scale(environment, instances);
  });
}
