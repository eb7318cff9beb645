import { DeployError } from '../deploy-error.js';
import type { Environment } from './environments.js';
import type { TrafficPlatform } from './traffic-platform.js';

/** Two rollouts at once would undo each other. */
export async function requireNoCanary(platform: TrafficPlatform): Promise<void> {
  if ((await platform.note()) === null) return;
  throw new DeployError(
    'conflict',
    'A canary is under way. Finish it with --resume, or end it with svc deploy rollback.',
  );
}

/** Changes the number of instances of an environment. The last one of what has traffic stays. */
export async function scaleTo(platform: TrafficPlatform, environment: Environment, instances: number): Promise<void> {
  const { [environment]: share } = await platform.split();
  if (instances === 0 && share > 0) {
    throw new DeployError(
      'conflict',
      `${environment} has ${share} % of the traffic: without an instance it would be turned away. Send it to the other environment first.`,
    );
  }
  await platform.scale(environment, instances);
}
