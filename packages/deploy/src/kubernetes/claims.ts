import { DeployError } from '../deploy-error.js';
import { parseClaim, type RolloutClaim, type RolloutClaims } from '../platform/index.js';
import type { ClusterApi } from './api.js';
import { call, merge, strict } from './call.js';
import type { Deployments } from './deployments.js';
import { claimAnnotation } from './names.js';

/** The Deployment's status changes as well, often during a rollout. */
const attempts = 20;

/** The claim as an annotation of a Deployment. Every strategy has one, and every deployer may change it. */
export class KubernetesClaims implements RolloutClaims {
  readonly #api: ClusterApi;
  readonly #deployments: Deployments;
  readonly #place: () => Promise<{ readonly name: string; readonly namespace: string }>;

  constructor(
    api: ClusterApi,
    deployments: Deployments,
    place: () => Promise<{ readonly name: string; readonly namespace: string }>,
  ) {
    this.#api = api;
    this.#deployments = deployments;
    this.#place = place;
  }

  async claim(): Promise<RolloutClaim | null> {
    return (await this.#read()).claim;
  }

  async replaceClaim(expected: string | null, next: RolloutClaim | null): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      const { name, namespace, claim, resourceVersion } = await this.#read();
      if ((claim?.id ?? null) !== expected) return false;
      const text = next === null ? null : JSON.stringify(next);
      // With the resource version that was read, the server rejects the write if anything has changed since.
      const body = { metadata: { resourceVersion, annotations: { [claimAnnotation]: text } } };
      try {
        await call(`claim Deployment ${name}`, (options) =>
          this.#api.apps.patchNamespacedDeployment({ name, namespace, ...strict, body }, merge(options)),
        );
        return true;
      } catch (error) {
        if (!(error instanceof DeployError) || error.code !== 'conflict' || attempt === attempts) throw error;
      }
    }
  }

  async #read(): Promise<{
    readonly name: string;
    readonly namespace: string;
    readonly claim: RolloutClaim | null;
    readonly resourceVersion: string | undefined;
  }> {
    const { name, namespace } = await this.#place();
    const { metadata } = await this.#deployments.read(name);
    const text = metadata?.annotations?.[claimAnnotation];
    return {
      name,
      namespace,
      claim: text === undefined ? null : parseClaim(text),
      resourceVersion: metadata?.resourceVersion,
    };
  }
}
