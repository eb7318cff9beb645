import { join } from 'node:path';
import { DeployError } from '../deploy-error.js';
import { CommandRunner, ProcessRunner, type InstanceRunner } from '../instances/index.js';
import type { TrafficMetrics } from '../metrics/observation.js';
import {
  ownerOf,
  requireIdle,
  type Environment,
  type EnvironmentStatus,
  type ReplacementWatch,
  type Revision,
  type RollingLimits,
  type Split,
  type TrafficPlatform,
} from '../platform/index.js';
import { StateFile } from '../state-file.js';
import { HaproxyInstances, type RunningInstance } from './haproxy-instances.js';
import { allOf, freeOf, rollThrough } from './haproxy-rolling.js';
import { HaproxyTraffic } from './haproxy-traffic.js';
import { RevisionFile } from './revisions.js';
import type { Slot } from './servers.js';
import type { HaproxySettings } from './settings.js';
import { slotsOf } from './slots.js';

export interface HaproxyPlatformOptions {
  readonly service: string;
  readonly critical: boolean;
  readonly settings: HaproxySettings;
  /** Default: HAProxy's own counters. */
  readonly metrics?: TrafficMetrics;
}

/** A service on one or a few machines behind HAProxy: its traffic, and the instances that take it. */
export class HaproxyPlatform extends HaproxyTraffic implements TrafficPlatform {
  readonly #critical: boolean;
  readonly #slots: readonly Slot[];
  readonly #revisions: RevisionFile;

  constructor({ service, critical, settings, metrics }: HaproxyPlatformOptions) {
    super(service, settings, metrics);
    this.#critical = critical;
    this.#slots = slotsOf(settings);
    this.#revisions = new RevisionFile(join(settings.state, 'revisions.json'));
  }

  override async setSplit(split: Split): Promise<void> {
    await super.setSplit(split);
    const owner = ownerOf(split);
    if (owner !== null && this.#isManaged) await this.#noteCurrent(this.#slotsOf(owner));
  }

  async status(environment: Environment): Promise<EnvironmentStatus> {
    const servers = (await this.servers()).filter((server) => server.environment === environment);
    const ready = servers.filter((server) => server.ready).length;
    // What others start and stop has no version here, and no history.
    if (!this.#isManaged) return { version: null, wanted: servers.length, ready, served: true };
    const running = await this.#instances.running(this.#slotsOf(environment));
    const version = running[0]?.version ?? null;
    const last = version ?? (await this.#lastVersion(environment).read());
    const served = last === null || (await this.#served(environment).read()) === last;
    return { version, wanted: running.length, ready, served };
  }

  async setServed(environment: Environment, served: boolean): Promise<void> {
    if (!this.#isManaged) return;
    const [first] = await this.#instances.running(this.#slotsOf(environment));
    await this.#served(environment).write(served && first !== undefined ? first.version : null);
  }

  async install(environment: Environment, version: string, instances: number): Promise<void> {
    const slots = this.#slotsWithRoom(environment, instances);
    const running = await this.#instances.running(slots);
    if (running.length === instances && running.every((one) => one.version === version)) {
      return await this.#bringIn(running);
    }
    await requireIdle(this, environment);
    await allOf(running.map(({ slot }) => this.#instances.stop(slot)));
    await this.#start(slots.slice(0, instances), version);
    if ((await this.front()) === environment) await this.#revisions.add(version);
  }

  async scale(environment: Environment, instances: number): Promise<void> {
    const slots = this.#slotsWithRoom(environment, instances);
    const running = await this.#instances.running(slots);
    // An environment at 0 still knows what it ran.
    const last = this.#lastVersion(environment);
    const version = running[0]?.version ?? (await last.read());
    if (instances > running.length && version === null) {
      throw new DeployError('invalid', `Nothing ran in ${environment} before. Use svc deploy install.`);
    }
    if (version !== null) await last.write(version);
    // What serves stays first; of the rest, what would be started anyway.
    const useful = [
      ...running.filter((one) => one.ready),
      ...running.filter((one) => !one.ready && one.version === version),
    ];
    const kept = useful.slice(0, instances);
    await allOf(running.filter((one) => !kept.includes(one)).map(({ slot }) => this.#instances.stop(slot)));
    await this.#bringIn(kept);
    const missing = instances - kept.length;
    if (missing > 0) await this.#start(freeOf(slots, kept).slice(0, missing), version!);
  }

  isCritical(): Promise<boolean> {
    return Promise.resolve(this.#critical);
  }

  revisions(): Promise<readonly Revision[]> {
    return this.#revisions.read();
  }

  async rollingUpdate(to: string | Revision, limits: RollingLimits, watch: ReplacementWatch): Promise<void> {
    const version = typeof to === 'string' ? to : to.version;
    const slots = this.#slotsOf(await this.front());
    await this.#noteCurrent(slots);
    // From its beginning on: whoever takes back what got stuck in the middle means the one before it.
    await this.#revisions.add(version);
    await rollThrough(this.#instances, slots, version, limits, watch);
  }

  async recreate(version: string, { onProgress, signal, beforeChange }: ReplacementWatch): Promise<void> {
    const slots = this.#slotsOf(await this.front());
    await this.#noteCurrent(slots);
    const running = await this.#instances.running(slots);
    const wanted = Math.max(1, running.length);
    await this.#revisions.add(version);
    await allOf(running.map(({ slot }) => this.#instances.stop(slot)));
    onProgress({ wanted, updated: 0, available: 0, total: 0 });
    await beforeChange?.();
    await this.#start(slots.slice(0, wanted), version, signal);
    onProgress({ wanted, updated: wanted, available: wanted, total: wanted });
  }

  #lastVersion(environment: Environment): StateFile {
    return new StateFile(join(this.settings.state, `${environment}.version`));
  }

  #served(environment: Environment): StateFile {
    return new StateFile(join(this.settings.state, `${environment}.served`));
  }

  /** What has all traffic is a revision, however it came to that. */
  async #noteCurrent(slots: readonly Slot[]): Promise<void> {
    const [first] = await this.#instances.running(slots);
    if (first !== undefined) await this.#revisions.add(first.version);
  }

  async #start(slots: readonly Slot[], version: string, signal = new AbortController().signal): Promise<void> {
    await allOf(slots.map((slot) => this.#instances.start(slot, version, signal)));
  }

  /** What a deployer that was killed had started, and nobody has let HAProxy see since. */
  async #bringIn(running: readonly RunningInstance[]): Promise<void> {
    const never = new AbortController().signal;
    const waiting = running.filter((one) => !one.inService);
    await allOf(waiting.map(({ slot }) => this.#instances.bringIn(slot, never)));
  }

  #slotsOf(environment: Environment): readonly Slot[] {
    return this.#slots.filter((slot) => slot.environment === environment);
  }

  #slotsWithRoom(environment: Environment, instances: number): readonly Slot[] {
    const slots = this.#slotsOf(environment);
    if (instances <= slots.length) return slots;
    const message = `${environment} has ${slots.length} addresses, which is not enough for ${instances} instances.`;
    throw new DeployError('invalid', message);
  }

  get #isManaged(): boolean {
    return this.settings.run !== undefined || this.settings.start !== undefined;
  }

  get #instances(): HaproxyInstances {
    return new HaproxyInstances(this.socket, this.backend, this.#runner, this.settings, () => this.remember());
  }

  get #runner(): InstanceRunner {
    const { run, start, stop, state, drainMs } = this.settings;
    if (run !== undefined) return new ProcessRunner(run, state, drainMs);
    if (start !== undefined && stop !== undefined) return new CommandRunner({ start, stop }, state, drainMs);
    throw new DeployError(
      'invalid',
      'deploy.json does not say how to start and stop instances: set haproxy.run, or haproxy.start and haproxy.stop.',
    );
  }
}
