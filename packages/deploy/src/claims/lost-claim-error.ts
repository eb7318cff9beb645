import { DeployError } from '../deploy-error.js';
import type { RolloutClaim } from '../platform/index.js';

/** Somebody else has taken over: whoever gets this leaves everything as it is. */
export class LostClaimError extends DeployError {
  constructor(by: RolloutClaim | null) {
    const whom = by === null ? 'Somebody else' : `Process ${by.controller.pid} on ${by.controller.host} (${by.what})`;
    super('conflict', `${whom} has taken over. Nothing was changed here since; svc deploy status says what is.`);
    this.name = 'LostClaimError';
  }
}
