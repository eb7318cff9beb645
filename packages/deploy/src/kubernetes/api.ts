import { AppsV1Api, CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { DeployError, messageOf } from '../deploy-error.js';

/** The three APIs that deployments use. */
export interface ClusterApi {
  readonly apps: AppsV1Api;
  readonly core: CoreV1Api;
  readonly custom: CustomObjectsApi;
}

/** Creates the API clients for the cluster of a kubeconfig context. Default: the current context of the default kubeconfig. */
export function connect({ kubeconfig, context }: { kubeconfig?: string; context?: string }): ClusterApi {
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
    if (context !== undefined) config.setCurrentContext(context);
    requireContext(config);
    return {
      apps: config.makeApiClient(AppsV1Api),
      core: config.makeApiClient(CoreV1Api),
      custom: config.makeApiClient(CustomObjectsApi),
    };
  } catch (error) {
    throw new DeployError('invalid', `Cannot use the kubeconfig: ${messageOf(error)}`, { cause: error });
  }
}

function requireContext(config: KubeConfig): void {
  // The file may name no current context, although the type requires it.
  const name = config.getCurrentContext() as string | undefined;
  if (name === undefined || name === '') throw new Error('it has no current context, and deploy.json sets none');
  if (config.getContextObject(name) === null) throw new Error(`it has no context "${name}"`);
}
