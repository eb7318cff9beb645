import { ApiException, Observable, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { DeployError, messageOf } from '../deploy-error.js';

/** What an API that is well needs a fraction of. Without a limit, one that is silent would hold up a rollout, and its undo, for ever. */
const limitMs = 10_000;

/** What every request is sent with. */
export type CallOptions = ReturnType<typeof setHeaderOptions>;

/** Unknown fields are refused by the server; without this it drops them without a word. */
export const strict = { fieldValidation: 'Strict', fieldManager: 'svc-deploy' } as const;

export const strategicMerge = (options: CallOptions): CallOptions =>
  setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch, options);
export const merge = (options: CallOptions): CallOptions =>
  setHeaderOptions('Content-Type', PatchStrategy.MergePatch, options);
export const jsonPatch = (options: CallOptions): CallOptions =>
  setHeaderOptions('Content-Type', PatchStrategy.JsonPatch, options);

/**
 * Runs one call, and tells an API that is out of reach, or silent, from one that says no. The action sends its request with the options
 * that it is given: by them it ends with the call, and is not sent any more when it has not been by then.
 */
export async function call<T>(what: string, action: (options: CallOptions) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // A timer of its own, and not AbortSignal.timeout: a login to the cluster that hangs sends no request that could be ended.
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer in ${limitMs / 1000} s`));
      controller.abort();
    }, limitMs);
  });
  try {
    return await Promise.race([action(endedBy(controller.signal)), late]);
  } catch (error) {
    throw asDeployError(what, error);
  } finally {
    clearTimeout(timer);
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof DeployError && error.cause instanceof ApiException && error.cause.code === 404;
}

function endedBy(signal: AbortSignal): CallOptions {
  const unchanged = <T>(value: T): Observable<T> => new Observable(Promise.resolve(value));
  return {
    middleware: [
      {
        pre: (request) => {
          request.setSignal(signal);
          return unchanged(request);
        },
        post: unchanged,
      },
    ],
    middlewareMergeStrategy: 'append',
  };
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
