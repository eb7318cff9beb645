/** Why a deployment step could not be done. Command lines turn the code into their exit code. */
export type DeployErrorCode =
  /** The platform cannot be reached, or does not answer in time. */
  | 'unreachable'
  /** The platform answers, and says no. */
  | 'refused'
  /** What should take traffic has no instance that is ready. */
  | 'not-ready'
  /** Another rollout is under way, or somebody else changed the same thing. */
  | 'conflict'
  /** The configuration or the request makes no sense. */
  | 'invalid';

export class DeployError extends Error {
  readonly code: DeployErrorCode;

  constructor(code: DeployErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DeployError';
    this.code = code;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
