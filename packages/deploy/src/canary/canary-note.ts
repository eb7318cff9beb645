import { hostname } from 'node:os';
import { DeployError } from '../deploy-error.js';
import { birthOf } from '../instances/index.js';
import type { Controller, RolloutNote } from '../platform/index.js';

/** A controller on another machine counts as gone when it was not seen for this long. */
const goneAfterMs = 90_000;

/** This process, as others find it in a note. */
export async function self(): Promise<Controller> {
  const born = await birthOf(process.pid);
  return { host: hostname(), pid: process.pid, ...(born === null ? {} : { born }) };
}

/** Whether somebody drives the rollout, as far as can be known from here. */
export async function isDriven({ controller, seen }: RolloutNote): Promise<boolean> {
  if (controller.host !== hostname()) return Date.now() - Date.parse(seen) <= goneAfterMs;
  if (controller.pid === process.pid) return false;
  const born = await birthOf(controller.pid);
  // Another process may have got its number since.
  return born !== null && (controller.born === undefined || controller.born === born);
}

/** Nobody takes a rollout over from a controller that still drives it. */
export async function requireFree(note: RolloutNote): Promise<void> {
  if (!(await isDriven(note))) return;
  const { controller, seen } = note;
  if (controller.host === hostname()) {
    throw new DeployError('conflict', `Process ${controller.pid} drives this rollout. End it first.`);
  }
  const seconds = Math.ceil((goneAfterMs - (Date.now() - Date.parse(seen))) / 1000);
  throw new DeployError(
    'conflict',
    `${controller.host} drives this rollout. When it is gone, this works in ${seconds} s.`,
  );
}
