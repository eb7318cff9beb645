import { setTimeout as sleep } from 'node:timers/promises';
import { DeployError } from '../deploy-error.js';
import type { Environment } from './environments.js';
import type { Environments, EnvironmentStatus } from './traffic-platform.js';

/** The readiness gate: resolves once at least `least` instances of an environment are ready. */
export async function waitUntilReady(
  platform: Environments,
  environment: Environment,
  least: number,
  { limitMs, pollMs, signal }: { limitMs: number; pollMs: number; signal: AbortSignal },
): Promise<EnvironmentStatus> {
  const end = Date.now() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    const status = await platform.status(environment);
    if (status.ready >= least) return status;
    if (Date.now() > end) {
      throw new DeployError(
        'not-ready',
        `${environment} has ${status.ready} of ${least} instances ready after ${Math.round(limitMs / 1000)} s. No traffic was sent there.`,
      );
    }
    await sleep(pollMs, undefined, { signal });
  }
}
