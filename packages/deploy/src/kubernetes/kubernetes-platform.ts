import { DeployError } from '../deploy-error.js';
import type { Observation, TrafficMetrics } from '../metrics/observation.js';
import {
  parseNote,
  requireIdle,
  splitOf,
  type Environment,
  type EnvironmentStatus,
  type ReplacementWatch,
  type Revision,
  type RollingLimits,
  type RolloutClaim,
  type RolloutNote,
  type Split,
  type TrafficPlatform,
} from '../platform/index.js';
import { connect, type ClusterApi } from './api.js';
import { call, isNotFound, merge, strict } from './call.js';
import { KubernetesClaims } from './claims.js';
import { Deployments } from './deployments.js';
import { divides, splitOfRoute, withForced, withSplit } from './http-route.js';
import { canaryAnnotation, criticalAnnotation, environmentLabel } from './names.js';
import { Routes } from './routes.js';
import type { KubernetesSettings } from './settings.js';

/** The service that a `KubernetesPlatform` deploys, and the settings of its cluster. */
export interface KubernetesPlatformOptions {
  readonly service: string;
  readonly critical: boolean;
  readonly settings: KubernetesSettings;
  readonly header: string;
  /** The API shows no counters of a gateway. Without Prometheus there is no data and no canary. */
  readonly metrics?: TrafficMetrics;
}

/** Creates the platform of a service in the cluster that its settings name. */
export function kubernetesPlatform(options: KubernetesPlatformOptions): KubernetesPlatform {
  return new KubernetesPlatform(connect(options.settings), options);
}

/**
 * A service in a cluster: HTTPRoute weights and header match for canary, the selector of the front Service for blue-green, the
 * Deployment's strategy for rolling and recreate.
 */
export class KubernetesPlatform implements TrafficPlatform {
  readonly name: string;
  readonly #api: ClusterApi;
  readonly #options: KubernetesPlatformOptions;
  readonly #routes: Routes;
  readonly #deployments: Deployments;
  readonly #claims: KubernetesClaims;

  constructor(api: ClusterApi, options: KubernetesPlatformOptions) {
    const { service, settings } = options;
    const { namespace, pollMs, acceptMs } = settings;
    this.name = `Kubernetes, namespace ${namespace}`;
    this.#api = api;
    this.#options = options;
    this.#routes = new Routes(api, { namespace, name: service }, { pollMs, acceptMs });
    this.#deployments = new Deployments(api, settings, pollMs);
    this.#claims = new KubernetesClaims(api, this.#deployments, () => this.#claimed());
  }

  async split(): Promise<Split> {
    return (await this.#routeSplit()) ?? splitOf(await this.front(), 100);
  }

  setSplit(split: Split): Promise<void> {
    return this.#routes.change((route) => withSplit(route, this.#options.service, split));
  }

  forceByHeader(environment: Environment | null): Promise<void> {
    const { service, header } = this.#options;
    return this.#routes.change((route) => withForced(route, service, header, environment));
  }

  async observe(): Promise<Observation> {
    if (this.#options.metrics !== undefined) return await this.#options.metrics.observe();
    throw new DeployError('invalid', 'A canary in a cluster requires metrics. Set prometheus in deploy.json.');
  }

  async hasTwoEnvironments(): Promise<boolean> {
    return !(await this.#deployments.exists(this.#options.service));
  }

  async front(): Promise<Environment> {
    const split = await this.#routeSplit();
    if (split !== null) return split.blue >= split.green ? 'blue' : 'green';
    const { service, settings } = this.#options;
    const { spec } = await call(`read Service ${service}`, (options) =>
      this.#api.core.readNamespacedService({ name: service, namespace: settings.namespace }, options),
    );
    const environment = spec?.selector?.[environmentLabel];
    if (environment === 'blue' || environment === 'green') return environment;
    if (!(await this.hasTwoEnvironments())) return 'blue';
    throw new DeployError(
      'refused',
      `The selector of Service ${service} has no ${environmentLabel}. Create one with svc deploy manifests --strategy blue-green.`,
    );
  }

  async switchFront(environment: Environment): Promise<void> {
    if ((await this.#routeSplit()) !== null) return await this.setSplit(splitOf(environment, 100));
    const { service, settings } = this.#options;
    const body = { spec: { selector: { [environmentLabel]: environment } } };
    await call(`switch Service ${service}`, (options) =>
      this.#api.core.patchNamespacedService(
        { name: service, namespace: settings.namespace, ...strict, body },
        merge(options),
      ),
    );
  }

  async status(environment: Environment): Promise<EnvironmentStatus> {
    if (await this.hasTwoEnvironments()) return await this.#deployments.status(this.#nameOf(environment));
    if (environment === 'green') return { version: null, wanted: 0, ready: 0, served: false };
    return await this.#deployments.status(this.#options.service);
  }

  async install(environment: Environment, version: string, instances: number): Promise<void> {
    const { version: present, wanted } = await this.status(environment);
    if (present !== version || wanted !== instances) await requireIdle(this, environment);
    await this.#deployments.patch(this.#nameOf(environment), version, { replicas: instances });
  }

  scale(environment: Environment, instances: number): Promise<void> {
    return this.#deployments.scale(this.#nameOf(environment), instances);
  }

  setServed(environment: Environment, served: boolean): Promise<void> {
    return this.#deployments.setServed(this.#nameOf(environment), served);
  }

  async isCritical(): Promise<boolean> {
    const { metadata } = await this.#deployments.read(await this.#replaced());
    return this.#options.critical || metadata?.annotations?.[criticalAnnotation] === 'true';
  }

  async revisions(): Promise<readonly Revision[]> {
    const known = await this.#deployments.revisions(await this.#replaced());
    return known.map(({ revision, version, current }) => ({ revision, version, current }));
  }

  async rollingUpdate(to: string | Revision, limits: RollingLimits, watch: ReplacementWatch): Promise<void> {
    const name = await this.#replaced();
    const strategy = { type: 'RollingUpdate', rollingUpdate: { ...limits } };
    if (typeof to === 'string') await this.#deployments.patch(name, to, { strategy });
    else await this.#deployments.restore(name, to, strategy);
    await this.#deployments.rolledOut(name, watch);
  }

  async recreate(version: string, watch: ReplacementWatch): Promise<void> {
    const name = await this.#replaced();
    await this.#deployments.patch(name, version, { strategy: { type: 'Recreate', rollingUpdate: null } });
    await this.#deployments.rolledOut(name, watch);
  }

  async note(): Promise<RolloutNote | null> {
    try {
      const text = (await this.#routes.read()).metadata?.annotations?.[canaryAnnotation];
      return text === undefined ? null : parseNote(text);
    } catch (error) {
      // Without a route there can be no canary.
      if (isNotFound(error)) return null;
      throw error;
    }
  }

  setNote(note: RolloutNote | null): Promise<void> {
    return this.#routes.change((route) => {
      const { [canaryAnnotation]: _, ...others } = route.metadata?.annotations ?? {};
      const annotations = note === null ? others : { ...others, [canaryAnnotation]: JSON.stringify(note) };
      return { ...route, metadata: { ...route.metadata, annotations } };
    });
  }

  claim(): Promise<RolloutClaim | null> {
    return this.#claims.claim();
  }

  replaceClaim(expected: string | null, next: RolloutClaim | null): Promise<boolean> {
    return this.#claims.replaceClaim(expected, next);
  }

  /** Null if no route splits the traffic: the front Service then has all of it. */
  async #routeSplit(): Promise<Split | null> {
    try {
      const route = await this.#routes.read();
      return divides(route, this.#options.service) ? splitOfRoute(route, this.#options.service) : null;
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  }

  #nameOf(environment: Environment): string {
    return `${this.#options.service}-${environment}`;
  }

  /** Always the same Deployment, whichever environment has the traffic. */
  async #claimed(): Promise<{ name: string; namespace: string }> {
    const { service, settings } = this.#options;
    const name = (await this.hasTwoEnvironments()) ? this.#nameOf('blue') : service;
    return { name, namespace: settings.namespace };
  }

  /** The Deployment that rolling and recreate replace: the only one, or that of the environment with the traffic. */
  async #replaced(): Promise<string> {
    const { service } = this.#options;
    return (await this.hasTwoEnvironments()) ? this.#nameOf(await this.front()) : service;
  }
}
