import type { Observation } from '../metrics/observation.js';
import type {
  Environment,
  EnvironmentStatus,
  ReplacementWatch,
  Revision,
  RollingLimits,
  RolloutClaim,
  RolloutNote,
  Split,
  TrafficPlatform,
} from '../platform/index.js';
import type { HeldClaim } from './held-claim.js';

/** A platform that rejects every change once the claim is lost. */
export class ClaimedPlatform implements TrafficPlatform {
  readonly name: string;
  readonly #platform: TrafficPlatform;
  readonly #claim: HeldClaim;

  constructor(platform: TrafficPlatform, claim: HeldClaim) {
    this.name = platform.name;
    this.#platform = platform;
    this.#claim = claim;
  }

  async setSplit(split: Split): Promise<void> {
    await this.#claim.require();
    await this.#platform.setSplit(split);
  }

  async forceByHeader(environment: Environment | null): Promise<void> {
    await this.#claim.require();
    await this.#platform.forceByHeader(environment);
  }

  async switchFront(environment: Environment): Promise<void> {
    await this.#claim.require();
    await this.#platform.switchFront(environment);
  }

  async install(environment: Environment, version: string, instances: number): Promise<void> {
    await this.#claim.require();
    await this.#platform.install(environment, version, instances);
  }

  async scale(environment: Environment, instances: number): Promise<void> {
    await this.#claim.require();
    await this.#platform.scale(environment, instances);
  }

  async setServed(environment: Environment, served: boolean): Promise<void> {
    await this.#claim.require();
    await this.#platform.setServed(environment, served);
  }

  async rollingUpdate(to: string | Revision, limits: RollingLimits, watch: ReplacementWatch): Promise<void> {
    await this.#claim.require();
    await this.#platform.rollingUpdate(to, limits, this.#watched(watch));
  }

  async recreate(version: string, watch: ReplacementWatch): Promise<void> {
    await this.#claim.require();
    await this.#platform.recreate(version, this.#watched(watch));
  }

  async setNote(note: RolloutNote | null): Promise<void> {
    await this.#claim.require();
    await this.#platform.setNote(note);
  }

  split(): Promise<Split> {
    return this.#platform.split();
  }

  observe(): Promise<Observation> {
    return this.#platform.observe();
  }

  hasTwoEnvironments(): Promise<boolean> {
    return this.#platform.hasTwoEnvironments();
  }

  front(): Promise<Environment> {
    return this.#platform.front();
  }

  status(environment: Environment): Promise<EnvironmentStatus> {
    return this.#platform.status(environment);
  }

  isCritical(): Promise<boolean> {
    return this.#platform.isCritical();
  }

  revisions(): Promise<readonly Revision[]> {
    return this.#platform.revisions();
  }

  note(): Promise<RolloutNote | null> {
    return this.#platform.note();
  }

  claim(): Promise<RolloutClaim | null> {
    return this.#platform.claim();
  }

  replaceClaim(expected: string | null, next: RolloutClaim | null): Promise<boolean> {
    return this.#platform.replaceClaim(expected, next);
  }

  #watched(watch: ReplacementWatch): ReplacementWatch {
    return { ...watch, beforeChange: () => this.#claim.require() };
  }
}
