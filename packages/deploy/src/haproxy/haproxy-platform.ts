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
import { EnvironmentFiles, type WantedEnvironment } from './environment-files.js';
import { HaproxyInstances, type RunningInstance } from './haproxy-instances.js';
import { allOf, freeOf, makeWhole, rollThrough } from './haproxy-rolling.js';
import { HaproxyTraffic } from './haproxy-traffic.js';
import { RevisionFile } from './revisions.js';
import type { Slot } from './servers.js';
import type { HaproxySettings } from './settings.js';
import { slotsOf } from './slots.js';

/** The service that an `HaproxyPlatform` deploys, and the settings of its HAProxy. */
export interface HaproxyPlatformOptions {
  readonly service: string;
  readonly critical: boolean;
  readonly settings: HaproxySettings;
  /** Default: the counters of HAProxy. */
  readonly metrics?: TrafficMetrics;
}

/** A service on one or a few machines behind HAProxy: its traffic and its instances. */
export class HaproxyPlatform extends HaproxyTraffic implements TrafficPlatform {
  readonly #critical: boolean;
  readonly #slots: readonly Slot[];
  readonly #revisions: RevisionFile;
  readonly #environments: EnvironmentFiles;

  constructor({ service, critical, settings, metrics }: HaproxyPlatformOptions) {
    super(service, settings, metrics);
    this.#critical = critical;
    this.#slots = slotsOf(settings);
    this.#revisions = new RevisionFile(join(settings.state, 'revisions.json'));
    this.#environments = new EnvironmentFiles(settings.state);
  }

  override async setSplit(split: Split): Promise<void> {
    await super.setSplit(split);
    const owner = ownerOf(split);
    if (owner !== null && this.#isManaged) await this.#noteCurrent(this.#slotsOf(owner));
  }

  async status(environment: Environment): Promise<EnvironmentStatus> {
    const servers = (await this.servers()).filter((server) => server.environment === environment);
    const ready = servers.filter((server) => server.ready).length;
    // Instances that are not started by svc have no known version and no history.
    if (!this.#isManaged) return { version: null, wanted: servers.length, ready, served: true };
    const running = await this.#instances.running(this.#slotsOf(environment));
    const wanted = await this.#wanted(environment, running);
    // The version that serves, if any. The wanted version may still be starting.
    const serving = running.filter((one) => one.ready);
    const shown = serving.length > 0 ? serving : running;
    const version = (shown.find((one) => one.version === wanted?.version) ?? shown[0])?.version ?? null;
    return { version, wanted: wanted?.instances ?? 0, ready, served: wanted?.served ?? true };
  }

  async setServed(environment: Environment, served: boolean): Promise<void> {
    if (!this.#isManaged) return;
    const running = await this.#instances.running(this.#slotsOf(environment));
    const wanted = await this.#wanted(environment, running);
    if (wanted !== null) await this.#environments.write(environment, { ...wanted, served });
  }

  async install(environment: Environment, version: string, instances: number): Promise<void> {
    const slots = this.#slotsWithRoom(environment, instances);
    const running = await this.#instances.running(slots);
    const isThere = running.length === instances && running.every((one) => one.version === version);
    if (!isThere) await requireIdle(this, environment);
    await this.#environments.change(environment, version, instances);
    if (isThere) return await this.#bringIn(running);
    await allOf(running.map(({ slot }) => this.#instances.stop(slot)));
    await this.#start(slots.slice(0, instances), version);
    if ((await this.front()) === environment) await this.#revisions.add(version);
  }

  async scale(environment: Environment, instances: number): Promise<void> {
    const slots = this.#slotsWithRoom(environment, instances);
    const running = await this.#instances.running(slots);
    const wanted = await this.#wanted(environment, running);
    if (wanted === null) {
      if (instances === 0) return;
      throw new DeployError('invalid', `${environment} has no version to start. Run svc deploy install first.`);
    }
    const { version } = wanted;
    await this.#environments.write(environment, { ...wanted, instances });
    // Serving instances stay first, then those that would be started anyway.
    const useful = [
      ...running.filter((one) => one.ready),
      ...running.filter((one) => !one.ready && one.version === version),
    ];
    const remaining = useful.slice(0, instances);
    await allOf(running.filter((one) => !remaining.includes(one)).map(({ slot }) => this.#instances.stop(slot)));
    await this.#bringIn(remaining);
    await this.#start(freeOf(slots, remaining).slice(0, instances - remaining.length), version);
  }

  isCritical(): Promise<boolean> {
    return Promise.resolve(this.#critical);
  }

  revisions(): Promise<readonly Revision[]> {
    return this.#revisions.read();
  }

  async rollingUpdate(to: string | Revision, limits: RollingLimits, watch: ReplacementWatch): Promise<void> {
    const version = typeof to === 'string' ? to : to.version;
    const environment = await this.front();
    const slots = this.#slotsOf(environment);
    const running = await this.#instances.running(slots);
    const before = await this.#wanted(environment, running);
    if (before === null) {
      throw new DeployError(
        'not-ready',
        'No instance is running that could be replaced. Run svc deploy install first.',
      );
    }
    const wanted = within(before.instances, slots);
    await this.#noteCurrent(slots);
    // Added at the start, so that a rollback of a stuck update restores the revision before it.
    await this.#revisions.add(version);
    await this.#environments.change(environment, version, wanted);
    try {
      await rollThrough(this.#instances, slots, { version, wanted }, limits, watch);
    } catch (error) {
      const old = running.find((one) => one.version !== version)?.version ?? before.version;
      const putBack = async (): Promise<void> => {
        await watch.beforeChange?.();
        await this.#environments.write(environment, { ...before, version: old });
        // If nothing ran before, there is nothing to restore.
        if (running.length > 0) await makeWhole(this.#instances, slots, { version, before: old, wanted });
      };
      await putBack().catch(() => {});
      throw error;
    }
  }

  async recreate(version: string, { onProgress, signal, beforeChange }: ReplacementWatch): Promise<void> {
    const environment = await this.front();
    const slots = this.#slotsOf(environment);
    await this.#noteCurrent(slots);
    const running = await this.#instances.running(slots);
    const wanted = within((await this.#wanted(environment, running))?.instances ?? 1, slots);
    await this.#revisions.add(version);
    await this.#environments.change(environment, version, wanted);
    await allOf(running.map(({ slot }) => this.#instances.stop(slot)));
    onProgress({ wanted, updated: 0, available: 0, total: 0 });
    await beforeChange?.();
    await this.#start(slots.slice(0, wanted), version, signal);
    onProgress({ wanted, updated: wanted, available: wanted, total: wanted });
  }

  /** The wanted state of an environment; if none is recorded, derived from what runs there. Null: nothing ever ran. */
  async #wanted(environment: Environment, running: readonly RunningInstance[]): Promise<WantedEnvironment | null> {
    const wanted = await this.#environments.read(environment);
    const [first] = running;
    if (wanted !== null || first === undefined) return wanted;
    return { version: first.version, instances: running.length, served: false };
  }

  /** Any version with all traffic is a revision, however it got there. */
  async #noteCurrent(slots: readonly Slot[]): Promise<void> {
    const [first] = await this.#instances.running(slots);
    if (first !== undefined) await this.#revisions.add(first.version);
  }

  async #start(slots: readonly Slot[], version: string, signal = new AbortController().signal): Promise<void> {
    await allOf(slots.map((slot) => this.#instances.start(slot, version, signal)));
  }

  /** Enables instances that a killed deployer had started but not yet added to HAProxy. */
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
    const message = `${environment} has only ${slots.length} addresses for ${instances} instances. List more addresses in deploy.json.`;
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
      'deploy.json has no command to start and stop instances. Set haproxy.run, or haproxy.start and haproxy.stop.',
    );
  }
}

/** At least one, and at most the number of slots: the settings may have changed. */
function within(instances: number, slots: readonly Slot[]): number {
  return Math.max(1, Math.min(instances, slots.length));
}
