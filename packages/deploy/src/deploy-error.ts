/** Why a deployment step failed. The CLI derives its exit code from the code. */
export type DeployErrorCode =
  /** The platform is unreachable or does not answer in time. */
  | 'unreachable'
  /** The platform rejected the request. */
  | 'refused'
  /** No instance of the target environment is ready. */
  | 'not-ready'
  /** Another rollout is running, or another client changed the same object. */
  | 'conflict'
  /** The configuration or the request is invalid. */
  | 'invalid';

/** A failed deployment step. Its `code` states the kind of failure. */
export class DeployError extends Error {
  readonly code: DeployErrorCode;

  constructor(code: DeployErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DeployError';
    this.code = code;
  }
}

/** The message of a thrown value, whether or not it is an `Error`. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
