import { DeployError } from '../deploy-error.js';
import type { DeployConfig } from '../config/deploy-config.js';
import { environments } from '../platform/index.js';
import { deployment } from './deployment.js';
import type { ManifestInput, Strategy } from './manifest-input.js';
import { disruptionBudget, httpRoute, service } from './network.js';
import { requireValid, type Manifest } from './validation.js';

/** All objects of a service in a cluster for a strategy, validated against the schemas of Kubernetes. */
export function serviceManifests(
  { service: name, instances, critical, kubernetes }: DeployConfig,
  { strategy, version }: { readonly strategy: Strategy; readonly version: string },
): readonly Manifest[] {
  if (kubernetes === null) throw new DeployError('invalid', 'deploy.json has no "kubernetes" section.');
  const input: ManifestInput = { service: name, version, instances, critical, strategy, settings: kubernetes };
  const manifests = manifestsOf(input);
  for (const manifest of manifests) requireValid(manifest);
  return manifests;
}

function manifestsOf(input: ManifestInput): readonly Manifest[] {
  const { strategy, instances } = input;
  if (strategy === 'rolling' || strategy === 'recreate') {
    return [deployment(input, null, instances), service(input, null), disruptionBudget(input, null)];
  }
  const both = environments.flatMap((environment) => [
    deployment(input, environment, environment === 'blue' ? instances : 0),
    disruptionBudget(input, environment),
  ]);
  if (strategy === 'blue-green') return [...both, service(input, null, 'blue')];
  return [...both, ...environments.map((environment) => service(input, environment)), httpRoute(input)];
}
