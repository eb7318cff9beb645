import { setTimeout as sleep } from 'node:timers/promises';
import { LostClaimError } from '../claims/index.js';
import { DeployError, messageOf } from '../deploy-error.js';
import { noTraffic, type Observation, type TrafficSample } from '../metrics/observation.js';
import { isSameSplit, splitOf, type RolloutNote, type Split, type TrafficPlatform } from '../platform/index.js';
import type { CanaryOptions } from './canary-options.js';
import type { CanaryOutcome, CanaryProgress } from './canary-progress.js';
import { LostPlatformError, persist } from './persistence.js';
import { judge, type Verdict } from './verdict.js';

type Reason = Extract<CanaryOutcome, { result: 'reverted' }>['reason'];

/** How long no instance of the new version may be ready before that counts as a failure. A single probe may fail. */
const unreadyMs = 10_000;

/** The result of a stage: the traffic of the new and the old version. */
interface Judged {
  readonly verdict: Verdict;
  readonly sample: TrafficSample;
  readonly old: TrafficSample;
}

/**
 * Moves the traffic to the new version in stages and reverts when it fails. However it ends, the old version stays complete: a stage
 * without a verdict is reverted, and a killed controller leaves its split and its note, for `resumeCanary`.
 */
export class Canary {
  readonly #platform: TrafficPlatform;
  readonly #options: CanaryOptions;
  readonly #report: (progress: CanaryProgress) => void;
  #note: RolloutNote;
  #unreadySince: number | null = null;

  constructor(
    platform: TrafficPlatform,
    note: RolloutNote,
    options: CanaryOptions,
    report: (progress: CanaryProgress) => void = () => {},
  ) {
    this.#platform = platform;
    this.#note = note;
    this.#options = options;
    this.#report = report;
  }

  async run(signal: AbortSignal): Promise<CanaryOutcome> {
    const outcome = await this.#stages(signal).catch((error: unknown) => this.#givenUp(error, signal));
    this.#report({ kind: 'ended', outcome });
    return outcome;
  }

  async #stages(signal: AbortSignal): Promise<CanaryOutcome> {
    const { from, to, version, stages } = this.#note;
    this.#report({ kind: 'begun', from, to, version });
    await this.#persist(() => this.#platform.forceByHeader(to), signal);
    for (let index = this.#note.stage; index < stages.length; index += 1) {
      this.#note = { ...this.#note, stage: index };
      const { verdict, sample, old } = await this.#stage(stages[index]!, signal);
      if (verdict !== 'passed') return await this.#revert(verdict === 'no-data' ? 'no-data' : 'error-rate', sample);
      this.#report({ kind: 'passed', stage: stages[index]!, split: this.#split, sample, old });
    }
    await this.#persist(() => this.#end(true));
    return { result: 'promoted', to, split: this.#split };
  }

  async #stage(stage: number, signal: AbortSignal): Promise<Judged> {
    signal.throwIfAborted();
    // The note before the split: a controller that finds the split must also find the note that explains it.
    await this.#persist(() => this.#platform.setNote(this.#note), signal);
    await this.#persist(() => this.#platform.setSplit(this.#split), signal);
    const observation = await this.#persist(() => this.#platform.observe(), signal);
    try {
      return await this.#watch(stage, observation, signal);
    } finally {
      observation.close();
    }
  }

  async #watch(stage: number, observation: Observation, signal: AbortSignal): Promise<Judged> {
    const { pollMs, stageMs, minRequests } = this.#options;
    const started = Date.now();
    for (;;) {
      await sleep(pollMs, undefined, { signal });
      const samples = await this.#persist(() => observation.read(), signal);
      const sample = samples[this.#note.to];
      const elapsedMs = Date.now() - started;
      const waitingForData = elapsedMs >= stageMs && sample.requests < minRequests;
      this.#report({ kind: 'stage', stage, split: this.#split, sample, elapsedMs, stageMs, waitingForData });
      const verdict = judge(sample, elapsedMs, this.#options);
      if (verdict !== 'watching') return { verdict, sample, old: samples[this.#note.from] };
      await this.#persist(() => this.#hold(), signal);
    }
  }

  /** Restores the split of the stage: instances come and go, and others may change the weights. */
  async #hold(): Promise<void> {
    try {
      if (!isSameSplit(await this.#platform.split(), this.#split)) await this.#platform.setSplit(this.#split);
      this.#unreadySince = null;
    } catch (error) {
      if (!isNotReady(error)) throw error;
      this.#unreadySince ??= Date.now();
      if (Date.now() - this.#unreadySince > Math.min(unreadyMs, this.#options.lostMs)) throw error;
    }
  }

  async #revert(reason: Reason, sample: TrafficSample): Promise<CanaryOutcome> {
    const stage = this.#note.stages[this.#note.stage]!;
    const split = await this.#persist(() => this.#allToOld());
    await this.#persist(() => this.#end(false));
    return { result: 'reverted', reason, stage, sample, split };
  }

  /** Interrupted, or the platform is unreachable: gives all traffic to the old version if possible. The note stays. */
  async #givenUp(error: unknown, signal: AbortSignal): Promise<CanaryOutcome> {
    if (error instanceof LostClaimError) throw error;
    const stage = this.#note.stages[this.#note.stage]!;
    const isLost = error instanceof LostPlatformError;
    // No instance is left: the new version has failed.
    if (isNotReady(error) && !signal.aborted) return await this.#revert('not-ready', noTraffic);
    if (!isLost && !signal.aborted) {
      if (!(error instanceof DeployError)) throw error;
    }
    try {
      const split = await this.#allToOld();
      if (signal.aborted) return { result: 'interrupted', stage, split };
      if (!isLost) throw error;
      return { result: 'unreachable', stage, split, error: messageOf(error) };
    } catch (failure) {
      if (failure === error || failure instanceof LostClaimError) throw failure;
      return { result: 'unreachable', stage, split: null, error: messageOf(failure) };
    }
  }

  async #allToOld(): Promise<Split> {
    const split = splitOf(this.#note.from, 100);
    await this.#platform.setSplit(split);
    return split;
  }

  async #end(isPromoted: boolean): Promise<void> {
    await this.#platform.forceByHeader(null);
    await this.#platform.setServed(this.#note.to, isPromoted);
    await this.#platform.setNote(null);
  }

  get #split(): Split {
    return splitOf(this.#note.to, this.#note.stages[this.#note.stage]!);
  }

  #persist<T>(action: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return persist(action, this.#options, (error) => this.#report({ kind: 'lost', error }), signal);
  }
}

function isNotReady(error: unknown): boolean {
  return error instanceof DeployError && error.code === 'not-ready';
}
