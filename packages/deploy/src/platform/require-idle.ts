import { DeployError } from '../deploy-error.js';
import type { Environment } from './environments.js';
import type { Environments, TrafficSplitter } from './traffic-platform.js';

/** Rejects an installation into an environment that has traffic. */
export async function requireIdle(platform: Environments & TrafficSplitter, environment: Environment): Promise<void> {
  const { [environment]: share } = await platform.split();
  if (share === 0 || (await platform.status(environment)).ready === 0) return;
  throw new DeployError('conflict', `${environment} has ${share} % of the traffic. Install into the idle environment.`);
}
