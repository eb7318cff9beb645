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

  const before = running.find((one) => one.version !== version)?.version ?? version;
  const start = async (slot: Slot): Promise<void> => {
    try {
      await instances.start(slot, version, signal);
      updated.push(slot);
    } catch (error) {
      free.push(slot);
      throw error;
    }
  };
  const stop = async (slot: Slot): Promise<void> => {
    await instances.stop(slot);
    free.push(slot);
  };
  /** As many as there were, of the version before where the new one failed. */
  const makeWhole = async (): Promise<void> => {
    const missing = wanted - old.length - updated.length;
    const never = new AbortController().signal;
    if (missing < 0) await allOf(updated.slice(missing).map((slot) => instances.stop(slot)));
    else await allOf(free.slice(0, missing).map((slot) => instances.start(slot, before, never)));
  };

  tell();
  try {
    while (old.length > 0 || updated.length < wanted) {
      signal.throwIfAborted();
      const state = { wanted, old: old.length, newReady: updated.length, newStarting: 0 };
      const step = rollingStep(state, { maxUnavailable: limits.maxUnavailable, maxSurge });
      const leaving = old.splice(0, step.stop);
      const coming = free.splice(0, Math.min(step.start, free.length));
      // Stopping and starting at once stays within both limits: each was counted against what is there now.
      await allOf([...leaving.map(stop), ...coming.map(start)]);
      tell();
    }
  } catch (error) {
    await makeWhole().catch(() => {});
    throw error;
  }
}

/** Waits for all of them, and then throws the first failure: what goes on in the background would be in the way of what comes next. */
export async function allOf(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

export async function runningIn(
  instances: HaproxyInstances,
  slots: readonly Slot[],
): Promise<{ slot: Slot; version: string }[]> {
  const found = await Promise.all(slots.map(async (slot) => ({ slot, version: await instances.version(slot) })));
  return found.flatMap(({ slot, version }) => (version === null ? [] : [{ slot, version }]));
}
