import { setTimeout as sleep } from 'node:timers/promises';
import { claimed } from '../claims/index.js';
import { DeployError } from '../deploy-error.js';
import { errorRateOf, type TrafficSample } from '../metrics/observation.js';
import {
  otherThan,
  requireNoCanary,
  waitUntilReady,
  type Environment,
  type TrafficPlatform,
} from '../platform/index.js';

/** How a blue-green switch runs: its limits, and how it is verified. */
export interface BlueGreenOptions {
  /** Instances of the old version that stay running, for an immediate rollback. Default: 1. */
  readonly keep: number;
  /** How long the new version is watched after the switch. Default: 30 s. */
  readonly watchMs: number;
  /** How often the counters are read. Default: 1 s. */
  readonly pollMs: number;
  /** Above this error rate, the switch is reverted. Default: 0.05. */
  readonly maxErrorRate: number;
  /** With fewer requests, the error rate is not judged. Default: 20. */
  readonly minRequests: number;
  /** How long the instances may take to become ready. Default: 5 minutes. */
  readonly readyMs: number;
  /** Called after the switch. If it throws, the switch is reverted. */
  readonly verify: () => Promise<void>;
}

/** The defaults of `BlueGreenOptions`. No extra verification runs. */
export const defaultBlueGreenOptions: BlueGreenOptions = {
  keep: 1,
  watchMs: 30_000,
  pollMs: 1000,
  maxErrorRate: 0.05,
  minRequests: 20,
  readyMs: 300_000,
  verify: () => Promise.resolve(),
};

/** A step of a blue-green switch, as it happens. */
export type BlueGreenProgress =
  | {
      readonly kind: 'installing' | 'switched' | 'scaled-down' | 'scaled-up' | 'reverted';
      readonly environment: Environment;
    }
  | { readonly kind: 'watching'; readonly environment: Environment; readonly sample: TrafficSample };

/** How a blue-green switch ended. */
export interface BlueGreenOutcome {
  readonly result: 'switched' | 'reverted';
  /** The environment with the traffic. */
  readonly front: Environment;
  /** Why the switch was reverted. */
  readonly reason?: string;
}

interface BlueGreenRequest {
  readonly version: string;
  readonly instances?: number;
}

type SwitchBackOptions = BlueGreenOptions & { readonly evenIfTakenBack?: boolean };

type Report = (progress: BlueGreenProgress) => void;

/** Installs the version in the idle environment, switches to it, watches it, and scales the old environment down. */
export function switchOver(
  platform: TrafficPlatform,
  request: BlueGreenRequest,
  options: BlueGreenOptions,
  report: Report,
  signal: AbortSignal,
): Promise<BlueGreenOutcome> {
  return claimed(platform, 'blue-green', (mine) => fillAndSwitch(mine, request, options, report, signal));
}

async function fillAndSwitch(
  platform: TrafficPlatform,
  { version, instances }: BlueGreenRequest,
  options: BlueGreenOptions,
  report: Report,
  signal: AbortSignal,
): Promise<BlueGreenOutcome> {
  await requireNoCanary(platform);
  const old = await platform.front();
  const next = otherThan(old);
  const wanted = instances ?? Math.max(1, (await platform.status(old)).wanted);
  await platform.setServed(old, true);
  report({ kind: 'installing', environment: next });
  await platform.install(next, version, wanted);
  await waitUntilReady(platform, next, wanted, { limitMs: options.readyMs, pollMs: options.pollMs, signal });
  const reason = await switchAndWatch(platform, next, options, report, signal);
  if (reason !== null) {
    await platform.switchFront(old);
    await platform.setServed(next, false);
    report({ kind: 'reverted', environment: old });
    signal.throwIfAborted();
    return { result: 'reverted', front: old, reason };
  }
  await platform.setServed(next, true);
  await platform.scale(old, options.keep);
  report({ kind: 'scaled-down', environment: old });
  return { result: 'switched', front: next };
}

/**
 * Switches to the other environment: at once if an instance there is ready, then scales it up. Rejects a version that was reverted or
 * never had all traffic.
 */
export function switchBack(
  platform: TrafficPlatform,
  options: SwitchBackOptions,
  report: Report,
  signal: AbortSignal,
): Promise<BlueGreenOutcome> {
  return claimed(platform, 'rollback', (mine) => backToOther(mine, options, report, signal));
}

async function backToOther(
  platform: TrafficPlatform,
  options: SwitchBackOptions,
  report: Report,
  signal: AbortSignal,
): Promise<BlueGreenOutcome> {
  await requireNoCanary(platform);
  const current = await platform.front();
  const target = otherThan(current);
  const wanted = Math.max(1, (await platform.status(current)).wanted);
  const limits = { limitMs: options.readyMs, pollMs: options.pollMs, signal };
  const { ready, version, served } = await platform.status(target);
  if (!served && options.evenIfTakenBack !== true) {
    throw new DeployError(
      'conflict',
      `${target} has ${version ?? 'a version'} that was reverted or never had all traffic. Nothing was switched. Pass --even-if-taken-back to switch to it anyway.`,
    );
  }
  if (ready > 0) {
    await platform.switchFront(target);
    report({ kind: 'switched', environment: target });
  }
  await platform.scale(target, wanted);
  await waitUntilReady(platform, target, ready > 0 ? wanted : 1, limits);
  if (ready === 0) {
    await platform.switchFront(target);
    report({ kind: 'switched', environment: target });
    await waitUntilReady(platform, target, wanted, limits);
  }
  await platform.setServed(current, false);
  await platform.setServed(target, true);
  report({ kind: 'scaled-up', environment: target });
  return { result: 'switched', front: target };
}

/** Why the switch must be reverted; null if it need not be. */
async function switchAndWatch(
  platform: TrafficPlatform,
  next: Environment,
  options: BlueGreenOptions,
  report: Report,
  signal: AbortSignal,
): Promise<string | null> {
  const observation = options.watchMs === 0 ? null : await platform.observe().catch(ignoreMissing);
  try {
    await platform.switchFront(next);
    report({ kind: 'switched', environment: next });
    const end = observation === null ? 0 : Date.now() + options.watchMs;
    while (Date.now() < end) {
      if (!(await slept(options.pollMs, signal))) return 'interrupted';
      const sample = (await observation!.read())[next];
      report({ kind: 'watching', environment: next, sample });
      const rate = errorRateOf(sample) ?? 0;
      if (sample.requests >= options.minRequests && rate > options.maxErrorRate) {
        return `${(rate * 100).toFixed(1)} % of ${sample.requests} requests failed`;
      }
    }
    await options.verify();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    observation?.close();
  }
}

/** Without metrics, a switch is still verified by its checks. A canary requires metrics. */
function ignoreMissing(error: unknown): null {
  if (error instanceof DeployError && error.code === 'invalid') return null;
  throw error;
}

async function slept(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return sleep(milliseconds, true, { signal }).catch(() => false);
}
