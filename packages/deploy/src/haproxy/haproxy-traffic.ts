import { join } from 'node:path';
import { DeployError } from '../deploy-error.js';
import type { Observation, TrafficMetrics } from '../metrics/observation.js';
import {
  environments,
  ownerOf,
  parseNote,
  splitOf,
  type Environment,
  type FrontSwitch,
  type RolloutClaim,
  type RolloutClaims,
  type RolloutNote,
  type RolloutNotes,
  type Split,
  type TrafficSplitter,
} from '../platform/index.js';
import { StateFile } from '../state-file.js';
import { ClaimFiles } from './claim-files.js';
import { forcedBackend, forcedMap, forcedMapText } from './haproxy-config.js';
import { observeHaproxy } from './haproxy-observation.js';
import { RuntimeSocket } from './runtime-socket.js';
import { readServers, type ServerState } from './servers.js';
import type { HaproxySettings } from './settings.js';
import { readyPerEnvironment, splitOfServers, weightCommands, weightsFor } from './weights.js';

/** Splits the traffic of one backend by the weights of its servers. */
export class HaproxyTraffic implements TrafficSplitter, FrontSwitch, RolloutNotes, RolloutClaims {
  readonly name: string;
  protected readonly backend: string;
  protected readonly settings: HaproxySettings;
  protected readonly socket: RuntimeSocket;
  readonly #metrics: TrafficMetrics | undefined;
  readonly #note: StateFile;
  readonly #claims: ClaimFiles;
  readonly #servers: StateFile;
  readonly #forced: StateFile;
  #remembered: Promise<void> = Promise.resolve();

  constructor(service: string, settings: HaproxySettings, metrics: TrafficMetrics | undefined) {
    this.name = `HAProxy at ${settings.socket}`;
    this.backend = service;
    this.settings = settings;
    this.socket = new RuntimeSocket(settings.socket);
    this.#metrics = metrics;
    this.#note = new StateFile(join(settings.state, 'canary.json'));
    this.#claims = new ClaimFiles(join(settings.state, 'claims'));
    this.#servers = new StateFile(join(settings.state, 'servers'));
    this.#forced = new StateFile(forcedMap(settings));
  }

  async split(): Promise<Split> {
    return splitOfServers(await this.servers());
  }

  async setSplit(split: Split): Promise<void> {
    const servers = await this.servers();
    const ready = readyPerEnvironment(servers);
    const empty = environments.find((environment) => split[environment] > 0 && ready[environment] === 0);
    if (empty !== undefined) {
      throw new DeployError(
        'not-ready',
        `${empty} should get ${split[empty]} % of the traffic but has no ready instance.`,
      );
    }
    await this.socket.send(weightCommands(this.backend, servers, weightsFor(split, ready)));
    await this.remember();
  }

  async forceByHeader(environment: Environment | null): Promise<void> {
    const target = environment === null ? this.backend : forcedBackend(this.backend, environment);
    await this.socket.send([`set map ${forcedMap(this.settings)} new ${target}`]);
    // HAProxy reads the file when it starts.
    await this.#forced.write(forcedMapText(target));
  }

  observe(): Promise<Observation> {
    return this.#metrics?.observe() ?? observeHaproxy(this.socket, this.backend);
  }

  hasTwoEnvironments(): Promise<boolean> {
    return Promise.resolve(this.settings.green.length > 0);
  }

  async front(): Promise<Environment> {
    const split = await this.split();
    return ownerOf(split) ?? (split.blue >= split.green ? 'blue' : 'green');
  }

  switchFront(environment: Environment): Promise<void> {
    return this.setSplit(splitOf(environment, 100));
  }

  async note(): Promise<RolloutNote | null> {
    const text = await this.#note.read();
    return text === null ? null : parseNote(text);
  }

  async setNote(note: RolloutNote | null): Promise<void> {
    await this.#note.write(note === null ? null : JSON.stringify(note));
  }

  claim(): Promise<RolloutClaim | null> {
    return this.#claims.claim();
  }

  replaceClaim(expected: string | null, next: RolloutClaim | null): Promise<boolean> {
    return this.#claims.replaceClaim(expected, next);
  }

  protected servers(): Promise<readonly ServerState[]> {
    return readServers(this.socket, this.backend);
  }

  /** Stores the weights for the next start of HAProxy, which otherwise uses those of its configuration. */
  protected remember(): Promise<void> {
    // Sequential, so that the last state read is the last one written.
    const written = this.#remembered.then(async () => this.#servers.write(await this.socket.ask('show servers state')));
    this.#remembered = written.catch(() => {});
    return written;
  }
}
