import { ApiException, Observable, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { DeployError, messageOf } from '../deploy-error.js';

/** A healthy API needs a fraction of this. Without a limit, a silent API would block a rollout and its rollback for ever. */
const limitMs = 10_000;

/** The options of every request. */
export type CallOptions = ReturnType<typeof setHeaderOptions>;

/** The server rejects unknown fields. Without this it drops them silently. */
export const strict = { fieldValidation: 'Strict', fieldManager: 'svc-deploy' } as const;

export const strategicMerge = (options: CallOptions): CallOptions =>
  setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch, options);
export const merge = (options: CallOptions): CallOptions =>
  setHeaderOptions('Content-Type', PatchStrategy.MergePatch, options);
export const jsonPatch = (options: CallOptions): CallOptions =>
  setHeaderOptions('Content-Type', PatchStrategy.JsonPatch, options);

/**
 * Runs one call and distinguishes an unreachable API from one that rejects the call. The action must pass the given options to its
 * request, so that the request is aborted with the call.
 */
export async function call<T>(what: string, action: (options: CallOptions) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // Not AbortSignal.timeout: a login that hangs has sent no request that could be aborted.
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${limitMs / 1000} s`));
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
    return new DeployError('unreachable', `Cannot ${what}: the Kubernetes API is unreachable: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const { code } = error;
  const detail = detailOf(error.body);
  if (code === 409)
    return new DeployError('conflict', `Cannot ${what}, because another client changed it first: ${detail}`, {
      cause: error,
    });
  // 429 and server errors are temporary; other statuses are not.
  const isPassing = code === 429 || code >= 500;
  return new DeployError(
    isPassing ? 'unreachable' : 'refused',
    `Cannot ${what}: Kubernetes answered ${code}: ${detail}`,
    {
      cause: error,
    },
  );
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
