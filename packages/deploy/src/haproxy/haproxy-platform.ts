import { join } from 'node:path';
import { DeployError } from '../deploy-error.js';
import { CommandRunner, ProcessRunner, type InstanceRunner } from '../instances/index.js';
import type { Observation, TrafficMetrics } from '../metrics/observation.js';
import {
  environments,
  otherThan,
  ownerOf,
  parseNote,
  splitOf,
  type Environment,
  type EnvironmentStatus,
  type ReplacementWatch,
  type Revision,
  type RollingLimits,
  type RolloutNote,
  type Split,
  type TrafficPlatform,
} from '../platform/index.js';
import { StateFile } from '../state-file.js';
import { forcedMap } from './haproxy-config.js';
import { HaproxyInstances } from './haproxy-instances.js';
import { observeHaproxy } from './haproxy-observation.js';
import { rollThrough, runningIn } from './haproxy-rolling.js';
import { RevisionFile } from './revisions.js';
import { RuntimeSocket } from './runtime-socket.js';
import { readServers, type ServerState, type Slot } from './servers.js';
import type { HaproxySettings } from './settings.js';
import { slotsOf } from './slots.js';
import { readyPerEnvironment, splitOfServers, weightCommands, weightsFor } from './weights.js';

export interface HaproxyPlatformOptions {
  readonly service: string;
  readonly critical: boolean;
  readonly settings: HaproxySettings;
  /** Default: HAProxy's own counters. */
  readonly metrics?: TrafficMetrics;
}

/** A service on one or a few machines behind HAProxy. */
export class HaproxyPlatform implements TrafficPlatform {
  readonly name: string;
  readonly #backend: string;
  readonly #critical: boolean;
  readonly #settings: HaproxySettings;
  readonly #metrics: TrafficMetrics | undefined;
  readonly #socket: RuntimeSocket;
  readonly #slots: readonly Slot[];
  readonly #note: StateFile;
  readonly #servers: StateFile;
  readonly #revisions: RevisionFile;

  constructor({ service, critical, settings, metrics }: HaproxyPlatformOptions) {
    this.name = `HAProxy at ${settings.socket}`;
    this.#backend = service;
    this.#critical = critical;
    this.#settings = settings;
    this.#metrics = metrics;
    this.#socket = new RuntimeSocket(settings.socket);
    this.#slots = slotsOf(settings);
    this.#note = new StateFile(join(settings.state, 'canary.json'));
    this.#servers = new StateFile(join(settings.state, 'servers'));
    this.#revisions = new RevisionFile(join(settings.state, 'revisions.json'));
  }

  async split(): Promise<Split> {
    return splitOfServers(await this.#read());
  }

  async setSplit(split: Split): Promise<void> {
    const servers = await this.#read();
    const ready = readyPerEnvironment(servers);
    const empty = environments.find((environment) => split[environment] > 0 && ready[environment] === 0);
    if (empty !== undefined) {
      throw new DeployError('not-ready', `${empty} should get ${split[empty]} % and has no instance that is ready.`);
    }
    await this.#socket.tell(weightCommands(this.#backend, servers, weightsFor(split, ready)));
    await this.#remember();
    const owner = ownerOf(split);
    if (owner !== null && this.#isManaged) await this.#noteCurrent(this.#slotsOf(owner));
  }

  async forceByHeader(environment: Environment | null): Promise<void> {
    const target = environment === null ? this.#backend : `${this.#backend}-${environment}`;
    await this.#socket.tell([`set map ${forcedMap(this.#settings)} new ${target}`]);
  }

  observe(): Promise<Observation> {
    return this.#metrics?.observe() ?? observeHaproxy(this.#socket, this.#backend);
  }

  hasTwoEnvironments(): Promise<boolean> {
    return Promise.resolve(this.#settings.green.length > 0);
  }

  async front(): Promise<Environment> {
    const split = await this.split();
    return ownerOf(split) ?? (split.blue >= split.green ? 'blue' : 'green');
  }

  switchFront(environment: Environment): Promise<void> {
    return this.setSplit(splitOf(environment, 100));
  }

  async status(environment: Environment): Promise<EnvironmentStatus> {
    const servers = (await this.#read()).filter((server) => server.environment === environment);
    const ready = servers.filter((server) => server.ready).length;
    if (!this.#isManaged) return { version: null, wanted: servers.length, ready };
    const running = await runningIn(this.#instances, this.#slotsOf(environment));
    return { version: running[0]?.version ?? null, wanted: running.length, ready };
  }

  async install(environment: Environment, version: string, instances: number): Promise<void> {
    const slots = this.#slotsOf(environment);
    this.#requireRoom(environment, instances);
    const running = await runningIn(this.#instances, slots);
    if (running.length === instances && running.every((one) => one.version === version)) return;
    await this.#requireIdle(environment);
    for (const { slot } of running) await this.#instances.stop(slot);
    const { signal } = new AbortController();
    await Promise.all(slots.slice(0, instances).map((slot) => this.#instances.start(slot, version, signal)));
    await this.#remember();
    if ((await this.front()) === environment) await this.#revisions.add(version);
  }

  async scale(environment: Environment, instances: number): Promise<void> {
    this.#requireRoom(environment, instances);
    const slots = this.#slotsOf(environment);
    const running = await runningIn(this.#instances, slots);
    const version = running[0]?.version ?? (await this.#lastVersion(environment).read());
    if (instances > running.length && version === null) {
      throw new DeployError('invalid', `Nothing ran in ${environment} before. Use svc deploy install.`);
    }
    const free = slots.filter((slot) => !running.some((one) => one.slot === slot));
    if (version !== null) await this.#lastVersion(environment).write(version);
    await Promise.all([
      ...running.slice(instances).map(({ slot }) => this.#instances.stop(slot)),
      ...free
        .slice(0, Math.max(0, instances - running.length))
        .map((slot) => this.#instances.start(slot, version!, new AbortController().signal)),
    ]);
    await this.#remember();
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
    await rollThrough(this.#instances, slots, version, limits, watch);
    await this.#revisions.add(version);
    await this.#remember();
  }

  async recreate(version: string, { onProgress, signal }: ReplacementWatch): Promise<void> {
    const slots = this.#slotsOf(await this.front());
    await this.#noteCurrent(slots);
    const running = await runningIn(this.#instances, slots);
    const wanted = Math.max(1, running.length);
    await Promise.all(running.map(({ slot }) => this.#instances.stop(slot)));
    onProgress({ wanted, updated: 0, available: 0, total: 0 });
    await Promise.all(slots.slice(0, wanted).map((slot) => this.#instances.start(slot, version, signal)));
    onProgress({ wanted, updated: wanted, available: wanted, total: wanted });
    await this.#revisions.add(version);
    await this.#remember();
  }

  async note(): Promise<RolloutNote | null> {
    const text = await this.#note.read();
    return text === null ? null : parseNote(text);
  }

  async setNote(note: RolloutNote | null): Promise<void> {
    await this.#note.write(note === null ? null : JSON.stringify(note));
  }

  #read(): Promise<readonly ServerState[]> {
    return readServers(this.#socket, this.#backend);
  }

  #slotsOf(environment: Environment): readonly Slot[] {
    return this.#slots.filter((slot) => slot.environment === environment);
  }

  /** For the next start of HAProxy, which otherwise begins with the weights of its configuration. */
  async #remember(): Promise<void> {
    await this.#servers.write(await this.#socket.ask('show servers state'));
  }

  /** What has all traffic is a revision, however it came to that. */
  async #noteCurrent(slots: readonly Slot[]): Promise<void> {
    const [first] = await runningIn(this.#instances, slots);
    if (first !== undefined) await this.#revisions.add(first.version);
  }

  #lastVersion(environment: Environment): StateFile {
    return new StateFile(join(this.#settings.state, `${environment}.version`));
  }

  #requireRoom(environment: Environment, instances: number): void {
    const room = this.#slotsOf(environment).length;
    if (instances <= room) return;
    throw new DeployError(
      'invalid',
      `${environment} has ${room} addresses, which is not enough for ${instances} instances.`,
    );
  }

  async #requireIdle(environment: Environment): Promise<void> {
    const { [environment]: share, [otherThan(environment)]: rest } = await this.split();
    const { ready } = await this.status(environment);
    if (share === 0 || ready === 0) return;
    throw new DeployError(
      'conflict',
      `${environment} has ${share} % of the traffic (the other one ${rest} %). Install into the idle environment.`,
    );
  }

  get #isManaged(): boolean {
    return this.#settings.run !== undefined || this.#settings.start !== undefined;
  }

  get #instances(): HaproxyInstances {
    return new HaproxyInstances(this.#socket, this.#backend, this.#runner, this.#settings);
  }

  get #runner(): InstanceRunner {
    const { run, start, stop, state, drainMs } = this.#settings;
    if (run !== undefined) return new ProcessRunner(run, state, drainMs);
    if (start !== undefined && stop !== undefined) return new CommandRunner({ start, stop }, state, drainMs);
    throw new DeployError(
      'invalid',
      'The configuration does not say how to start and stop instances: set haproxy.run, or haproxy.start and haproxy.stop.',
    );
  }
}
