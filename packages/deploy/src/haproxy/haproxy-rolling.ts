import { DeployError } from '../deploy-error.js';
import type { ReplacementWatch, RollingLimits } from '../platform/index.js';
import { rollingStep } from '../replacement/rolling-plan.js';
import type { HaproxyInstances } from './haproxy-instances.js';
import type { Slot } from './servers.js';

/** Replaces what runs in `slots` step by step. Slots in which nothing runs are the room for extra instances. */
export async function rollThrough(
  instances: HaproxyInstances,
  slots: readonly Slot[],
  version: string,
  limits: RollingLimits,
  { onProgress, signal }: ReplacementWatch,
): Promise<void> {
  const running = await runningIn(instances, slots);
  const wanted = running.length;
  if (wanted === 0) throw new DeployError('not-ready', 'Nothing runs that could be replaced. Use svc deploy install.');
  const old = running.filter((one) => one.version !== version).map(({ slot }) => slot);
  const updated = running.filter((one) => one.version === version).map(({ slot }) => slot);
  const free = slots.filter((slot) => !running.some((one) => one.slot === slot));
  const maxSurge = Math.min(limits.maxSurge, free.length);
  if (maxSurge === 0 && limits.maxUnavailable === 0) {
    throw new DeployError(
      'invalid',
      'There is no free slot for an extra instance, and none may be unavailable. List more addresses.',
    );
  }
  const tell = (): void =>
    onProgress({
      wanted,
      updated: updated.length,
      available: old.length + updated.length,
      total: old.length + updated.length,
    });

  tell();
  while (old.length > 0 || updated.length < wanted) {
    signal.throwIfAborted();
    const state = { wanted, old: old.length, newReady: updated.length, newStarting: 0 };
    const { start, stop } = rollingStep(state, { maxUnavailable: limits.maxUnavailable, maxSurge });
    const leaving = old.splice(0, stop);
    const coming = free.splice(0, Math.min(start, free.length));
    // Stopping and starting at once stays within both limits: each was counted against what is there now.
    await Promise.all([
      ...leaving.map((slot) => instances.stop(slot)),
      ...coming.map((slot) => instances.start(slot, version, signal)),
    ]);
    free.push(...leaving);
    updated.push(...coming);
    tell();
  }
}

export async function runningIn(
  instances: HaproxyInstances,
  slots: readonly Slot[],
): Promise<{ slot: Slot; version: string }[]> {
  const found = await Promise.all(slots.map(async (slot) => ({ slot, version: await instances.version(slot) })));
  return found.flatMap(({ slot, version }) => (version === null ? [] : [{ slot, version }]));
}
