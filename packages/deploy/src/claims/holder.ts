import { hostname } from 'node:os';
import { DeployError } from '../deploy-error.js';
import { birthOf } from '../instances/index.js';
import type { Controller, RolloutClaim } from '../platform/index.js';

/** A controller on another machine is considered gone if it has not been seen for this long. */
export const goneAfterMs = 90_000;

/** The ids of the claims that this process holds. */
export const heldHere = new Set<string>();

/** This process, as recorded in its claims. */
export async function self(): Promise<Controller> {
  const born = await birthOf(process.pid);
  return { host: hostname(), pid: process.pid, ...(born === null ? {} : { born }) };
}

/** Whether the claim's controller is still running, as far as this machine can tell. */
export async function isHeld({ id, controller, seen }: RolloutClaim): Promise<boolean> {
  if (controller.host !== hostname()) return Date.now() - Date.parse(seen) <= goneAfterMs;
  if (controller.pid === process.pid) return heldHere.has(id);
  const born = await birthOf(controller.pid);
  // Another process may have the same pid by now.
  return born !== null && (controller.born === undefined || controller.born === born);
}

/** Throws while the claim's controller is running. */
export async function requireFree(claim: RolloutClaim): Promise<void> {
  if (!(await isHeld(claim))) return;
  const { what, controller, seen } = claim;
  const isHere = controller.host === hostname();
  const seconds = Math.ceil((goneAfterMs - (Date.now() - Date.parse(seen))) / 1000);
  throw new DeployError(
    'conflict',
    isHere
      ? `Another change of this service is running (${what}) by process ${controller.pid}. Wait until it ends, or stop it.`
      : `Another change of this service is running (${what}) by ${controller.host}. If that controller is gone, try again in ${seconds} s.`,
  );
}
