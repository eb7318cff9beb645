import type { IHTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IService } from 'kubernetes-models/v1/Service';
import { environments, type Environment } from '../platform/index.js';
import { labelsOf, selectorOf } from './labels.js';
import { nameOf, type ManifestInput } from './manifest-input.js';

/** @param selects the environment whose pods it selects, if not the one in its name */
export function service(
  { service: name, settings }: ManifestInput,
  environment: Environment | null,
  selects: Environment | null = environment,
): IService {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: nameOf(name, environment), namespace: settings.namespace, labels: labelsOf(name, environment) },
    spec: {
      selector: selectorOf(name, selects),
      ports: [{ name: 'http', port: 80, targetPort: 'http' }],
    },
  };
}

/** Draining a node evicts one pod at a time. */
export function disruptionBudget(
  { service: name, settings }: ManifestInput,
  environment: Environment | null,
): IPodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: nameOf(name, environment), namespace: settings.namespace, labels: labelsOf(name, environment) },
    spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(name, environment) } },
  };
}

/** Sends all traffic to blue. A canary changes that. */
export function httpRoute({ service: name, settings }: ManifestInput): IHTTPRoute {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name, namespace: settings.namespace, labels: labelsOf(name, null) },
    spec: {
      parentRefs: [{ name: settings.gateway }],
      ...(settings.hostname === undefined ? {} : { hostnames: [settings.hostname] }),
      rules: [
        {
          backendRefs: environments.map((environment) => ({
            name: nameOf(name, environment),
            port: 80,
            weight: environment === 'blue' ? 100 : 0,
          })),
        },
      ],
    },
  };
}
