import { hostname } from 'node:os';
import { DeployError } from '../deploy-error.js';
import type { RolloutNote } from '../platform/index.js';

/** A controller on another machine counts as gone when it was not seen for this long. */
const goneAfterMs = 90_000;

export const self = { host: hostname(), pid: process.pid };

/** Nobody takes a rollout over from a controller that still drives it. */
export function requireFree({ controller, seen }: RolloutNote): void {
  if (controller.host === self.host) {
    if (controller.pid === self.pid || !isRunning(controller.pid)) return;
    throw new DeployError('conflict', `Process ${controller.pid} drives this rollout. End it first.`);
  }
  const silentMs = Date.now() - Date.parse(seen);
  if (silentMs > goneAfterMs) return;
  const seconds = Math.ceil((goneAfterMs - silentMs) / 1000);
  throw new DeployError(
    'conflict',
    `${controller.host} drives this rollout. When it is gone, this works in ${seconds} s.`,
  );
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs as somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
