import { hostname } from 'node:os';
import { DeployError } from '../deploy-error.js';
import { birthOf } from '../instances/index.js';
import type { Controller, RolloutClaim } from '../platform/index.js';

/** A controller on another machine counts as gone when it was not seen for this long. */
export const goneAfterMs = 90_000;

/** The ids of the claims that this process holds. */
export const heldHere = new Set<string>();

/** This process, as others find it in a claim. */
export async function self(): Promise<Controller> {
  const born = await birthOf(process.pid);
  return { host: hostname(), pid: process.pid, ...(born === null ? {} : { born }) };
}

/** Whether somebody is behind the claim, as far as can be known from here. */
export async function isHeld({ id, controller, seen }: RolloutClaim): Promise<boolean> {
  if (controller.host !== hostname()) return Date.now() - Date.parse(seen) <= goneAfterMs;
  if (controller.pid === process.pid) return heldHere.has(id);
  const born = await birthOf(controller.pid);
  // Another process may have got its number since.
  return born !== null && (controller.born === undefined || controller.born === born);
}

/** Nobody takes over from a controller that still runs. */
export async function requireFree(claim: RolloutClaim): Promise<void> {
  if (!(await isHeld(claim))) return;
  const { what, controller, seen } = claim;
  const isHere = controller.host === hostname();
  const seconds = Math.ceil((goneAfterMs - (Date.now() - Date.parse(seen))) / 1000);
  throw new DeployError(
    'conflict',
    isHere
      ? `This service is being changed (${what}) by process ${controller.pid}. End it first.`
      : `This service is being changed (${what}) by ${controller.host}. When that is gone, this works in ${seconds} s.`,
  );
}
