import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';
import { DeployError, messageOf } from '../deploy-error.js';

/** The three parts of the API that deployments need. */
export interface ClusterApi {
  readonly apps: AppsV1Api;
  readonly core: CoreV1Api;
  readonly custom: CustomObjectsApi;
}

/** Unknown fields are refused by the server; without this it drops them without a word. */
export const strict = { fieldValidation: 'Strict', fieldManager: 'svc-deploy' } as const;
export const strategicMerge = setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch);
export const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);

export const jsonPatch = setHeaderOptions('Content-Type', PatchStrategy.JsonPatch);

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

/** Runs one call, and tells an API that is out of reach from one that says no. */
export async function call<T>(what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw asDeployError(what, error);
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof DeployError && error.cause instanceof ApiException && error.cause.code === 404;
}

function asDeployError(what: string, error: unknown): DeployError {
  if (error instanceof DeployError) return error;
  if (!(error instanceof ApiException)) {
    return new DeployError('unreachable', `The Kubernetes API cannot be reached to ${what}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const { code } = error;
  const detail = detailOf(error.body);
  if (code === 409)
    return new DeployError('conflict', `Somebody else changed it first, to ${what}: ${detail}`, { cause: error });
  // Too many requests and failures of the server pass; what else it answers does not.
  const isPassing = code === 429 || code >= 500;
  return new DeployError(isPassing ? 'unreachable' : 'refused', `Kubernetes answered ${code} to ${what}: ${detail}`, {
    cause: error,
  });
}

function detailOf(body: unknown): string {
  const parsed = typeof body === 'string' ? tryParse(body) : body;
  const message = typeof parsed === 'object' && parsed !== null && 'message' in parsed ? parsed.message : parsed;
  return typeof message === 'string' ? message : JSON.stringify(message);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
