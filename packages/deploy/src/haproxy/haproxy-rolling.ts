import { DeployError } from '../deploy-error.js';
import type { ReplacementWatch, RollingLimits } from '../platform/index.js';
import { rollingStep } from '../replacement/rolling-plan.js';
import type { HaproxyInstances, RunningInstance } from './haproxy-instances.js';
import type { Slot } from './servers.js';

/**
 * Replaces the instances in `slots` in steps. Empty slots are room for extra instances. Each step starts from the current state: a
 * process that runs without traffic does not count as serving.
 */
export async function rollThrough(
  instances: HaproxyInstances,
  slots: readonly Slot[],
  { version, wanted }: { readonly version: string; readonly wanted: number },
  limits: RollingLimits,
  { onProgress, signal, beforeChange = () => Promise.resolve() }: ReplacementWatch,
): Promise<void> {
  const maxSurge = Math.min(limits.maxSurge, slots.length - wanted);
  const isStuck = maxSurge === 0 && limits.maxUnavailable === 0;
  if (isStuck && (await instances.running(slots)).some((one) => one.version !== version)) {
    throw new DeployError(
      'invalid',
      'No slot is free for an extra instance, and no instance may be unavailable. List more addresses in deploy.json.',
    );
  }
  for (;;) {
    const running = await instances.running(slots);
    const old = readyOf(running.filter((one) => one.version !== version));
    const updated = readyOf(running.filter((one) => one.version === version));
    const available = old.ready.length + updated.ready.length;
    onProgress({ wanted, updated: updated.ready.length, available, total: running.length });
    if (running.length === updated.ready.length && updated.ready.length >= wanted) return;
    signal.throwIfAborted();
    await beforeChange();
    const state = {
      wanted,
      oldReady: old.ready.length,
      oldUnready: old.unready.length,
      newReady: updated.ready.length,
      newStarting: updated.unready.length,
    };
    const { start, stopReady, stopUnready } = rollingStep(state, { ...limits, maxSurge });
    // Stopping and starting concurrently stays within both limits: each was computed from the current state.
    await allOf([
      ...[...old.unready.slice(0, stopUnready), ...old.ready.slice(0, stopReady)].map((slot) => instances.stop(slot)),
      ...updated.unready.map((slot) => instances.bringIn(slot, signal)),
      ...freeOf(slots, running)
        .slice(0, start)
        .map((slot) => instances.start(slot, version, signal)),
    ]);
  }
}

/** Restores the number of instances, with the previous version where the new one failed. */
export async function makeWhole(
  instances: HaproxyInstances,
  slots: readonly Slot[],
  { version, before, wanted }: { readonly version: string; readonly before: string; readonly wanted: number },
): Promise<void> {
  const running = await instances.running(slots);
  const available = running.filter((one) => one.ready).length;
  const { ready, unready } = readyOf(running.filter((one) => one.version === version));
  const surplus = [...unready, ...ready.slice(0, Math.max(0, available - wanted))];
  const missing = Math.max(0, wanted - available);
  const never = new AbortController().signal;
  await allOf([
    ...surplus.map((slot) => instances.stop(slot)),
    ...freeOf(slots, running)
      .slice(0, missing)
      .map((slot) => instances.start(slot, before, never)),
  ]);
}

function readyOf(running: readonly RunningInstance[]): {
  readonly ready: readonly Slot[];
  readonly unready: readonly Slot[];
} {
  const slots = (ready: boolean): readonly Slot[] =>
    running.filter((one) => one.ready === ready).map(({ slot }) => slot);
  return { ready: slots(true), unready: slots(false) };
}

export function freeOf(slots: readonly Slot[], running: readonly RunningInstance[]): readonly Slot[] {
  return slots.filter((slot) => !running.some((one) => one.slot === slot));
}

/** Waits for all of them, then throws the first failure. Work left in the background would disturb the next step. */
export async function allOf(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
