import { AppsV1Api, CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { DeployError, messageOf } from '../deploy-error.js';

/** The three parts of the API that deployments need. */
export interface ClusterApi {
  readonly apps: AppsV1Api;
  readonly core: CoreV1Api;
  readonly custom: CustomObjectsApi;
}

export function connect({ kubeconfig, context }: { kubeconfig?: string; context?: string }): ClusterApi {
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
    if (context !== undefined) config.setCurrentContext(context);
  } catch (error) {
    throw new DeployError('invalid', `The kubeconfig cannot be used: ${messageOf(error)}`, { cause: error });
  }
  return {
    apps: config.makeApiClient(AppsV1Api),
    core: config.makeApiClient(CoreV1Api),
    custom: config.makeApiClient(CustomObjectsApi),
  };
}
