import { setTimeout as sleep } from 'node:timers/promises';
import type { V1Deployment, V1PodTemplateSpec, V1ReplicaSet } from '@kubernetes/client-node';
import { DeployError } from '../deploy-error.js';
import type { EnvironmentStatus, ReplacementWatch, Revision } from '../platform/index.js';
import type { ClusterApi } from './api.js';
import { call, isNotFound, jsonPatch, merge, strategicMerge, strict } from './call.js';
import { revisionAnnotation, servedAnnotation } from './names.js';
import type { KubernetesSettings } from './settings.js';

/** Reads and changes the Deployments of one namespace. */
export class Deployments {
  readonly #api: ClusterApi;
  readonly #settings: KubernetesSettings;
  readonly #pollMs: number;

  constructor(api: ClusterApi, settings: KubernetesSettings, pollMs: number) {
    this.#api = api;
    this.#settings = settings;
    this.#pollMs = pollMs;
  }

  read(name: string): Promise<V1Deployment> {
    return call(`read Deployment ${name}`, (options) =>
      this.#api.apps.readNamespacedDeployment(this.#at(name), options),
    );
  }

  async exists(name: string): Promise<boolean> {
    try {
      await this.read(name);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async status(name: string): Promise<EnvironmentStatus> {
    const deployment = await this.read(name);
    const { wanted, updated, available } = countsOf(deployment);
    const version = this.versionOf(deployment);
    const served = version === null || deployment.metadata?.annotations?.[servedAnnotation] === version;
    return { version, wanted, ready: Math.max(0, Math.min(updated, available)), served };
  }

  async setServed(name: string, served: boolean): Promise<void> {
    const version = this.versionOf(await this.read(name));
    const body = { metadata: { annotations: { [servedAnnotation]: served ? version : null } } };
    await call(`annotate Deployment ${name}`, (options) =>
      this.#api.apps.patchNamespacedDeployment({ ...this.#at(name), ...strict, body }, merge(options)),
    );
  }

  /** The tag of the image. A digest may follow the tag or replace it. */
  versionOf({ spec }: V1Deployment | V1ReplicaSet): string | null {
    const containers = spec?.template?.spec?.containers ?? [];
    const [image = ''] = containers.find(({ name }) => name === this.#settings.container)?.image?.split('@') ?? [];
    const colon = image.lastIndexOf(':');
    return colon > image.lastIndexOf('/') ? image.slice(colon + 1) : null;
  }

  async patch(name: string, version: string, spec: object): Promise<void> {
    const { container, image } = this.#settings;
    requireContainer(await this.read(name), container);
    const body = {
      metadata: { annotations: { 'kubernetes.io/change-cause': `svc deploy ${version}` } },
      spec: { ...spec, template: { spec: { containers: [{ name: container, image: `${image}:${version}` }] } } },
    };
    await call(`change Deployment ${name}`, (options) =>
      this.#api.apps.patchNamespacedDeployment({ ...this.#at(name), ...strict, body }, strategicMerge(options)),
    );
  }

  async scale(name: string, replicas: number): Promise<void> {
    const body = { spec: { replicas } };
    await call(`scale Deployment ${name}`, (options) =>
      this.#api.apps.patchNamespacedDeploymentScale({ ...this.#at(name), ...strict, body }, merge(options)),
    );
  }

  async revisions(name: string): Promise<readonly (Revision & { replicaSet: V1ReplicaSet })[]> {
    const deployment = await this.read(name);
    const labels = Object.entries(deployment.spec?.selector.matchLabels ?? {});
    const labelSelector = labels.map(([label, value]) => `${label}=${value}`).join(',');
    const { namespace } = this.#settings;
    const { items } = await call(`list the revisions of ${name}`, (options) =>
      this.#api.apps.listNamespacedReplicaSet({ namespace, labelSelector }, options),
    );
    const current = Number(deployment.metadata?.annotations?.[revisionAnnotation]);
    return items
      .filter(({ metadata }) => metadata?.ownerReferences?.some(({ uid }) => uid === deployment.metadata?.uid))
      .map((replicaSet) => {
        const revision = Number(replicaSet.metadata?.annotations?.[revisionAnnotation]);
        const version = this.versionOf(replicaSet) ?? 'unknown';
        return { revision, version, current: revision === current, replicaSet };
      })
      .toSorted((a, b) => a.revision - b.revision);
  }

  /** Restores the complete pod template of an earlier revision. */
  async restore(name: string, { revision }: Revision, strategy: object): Promise<void> {
    const found = (await this.revisions(name)).find((candidate) => candidate.revision === revision);
    const template = found?.replicaSet.spec?.template;
    if (template === undefined) throw new DeployError('refused', `Revision ${revision} of ${name} no longer exists.`);
    // The rest of the Deployment, such as its replicas, stays unchanged.
    const body = [
      { op: 'replace', path: '/spec/strategy', value: strategy },
      { op: 'replace', path: '/spec/template', value: withoutHash(template) },
    ];
    await call(`restore revision ${revision} of ${name}`, (options) =>
      this.#api.apps.patchNamespacedDeployment({ ...this.#at(name), ...strict, body }, jsonPatch(options)),
    );
  }

  /** Resolves once all instances are new and available. */
  async rolledOut(name: string, { onProgress, signal }: ReplacementWatch): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const deployment = await this.read(name);
      const counts = countsOf(deployment);
      onProgress(counts);
      const { wanted, updated, available, total } = counts;
      if (updated === wanted && available === wanted && total === wanted) return;
      const stuck = deployment.status?.conditions?.find(({ reason }) => reason === 'ProgressDeadlineExceeded');
      // Until the controller has seen the change, its status describes the previous rollout.
      if (stuck !== undefined && isObserved(deployment)) {
        throw new DeployError(
          'not-ready',
          `The rollout of ${name} is stuck: ${stuck.message ?? ''} To revert it, run svc deploy rollback.`,
        );
      }
      await sleep(this.#pollMs, undefined, { signal });
    }
  }

  #at(name: string): { name: string; namespace: string } {
    return { name, namespace: this.#settings.namespace };
  }
}

/** The counts of the controller. Before it has seen the latest change, its "updated" refers to an older one. */
function countsOf(deployment: V1Deployment): { wanted: number; updated: number; available: number; total: number } {
  const { spec, status } = deployment;
  return {
    wanted: spec?.replicas ?? 1,
    updated: isObserved(deployment) ? (status?.updatedReplicas ?? 0) : -1,
    available: status?.availableReplicas ?? 0,
    total: status?.replicas ?? 0,
  };
}

/** Kubernetes would add a missing container next to the one that serves. */
function requireContainer({ metadata, spec }: V1Deployment, container: string): void {
  const names = spec?.template.spec?.containers.map(({ name }) => name) ?? [];
  if (names.includes(container)) return;
  throw new DeployError(
    'refused',
    `Deployment ${metadata?.name} has no container "${container}". It has ${names.join(', ')}. Set container in deploy.json.`,
  );
}

/** Whether the controller's status describes the current Deployment. */
function isObserved({ metadata, status }: V1Deployment): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0);
}

/** A ReplicaSet marks its pods with an additional label. */
function withoutHash({ metadata, spec }: V1PodTemplateSpec): object {
  const { 'pod-template-hash': _, ...labels } = metadata?.labels ?? {};
  const annotations = metadata?.annotations;
  return { metadata: annotations === undefined ? { labels } : { labels, annotations }, spec };
}
