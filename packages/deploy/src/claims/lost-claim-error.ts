import { DeployError } from '../deploy-error.js';
import type { RolloutClaim } from '../platform/index.js';

/** Another controller has taken over. The receiver must not change anything any more. */
export class LostClaimError extends DeployError {
  constructor(by: RolloutClaim | null) {
    const who =
      by === null ? 'Another controller' : `Process ${by.controller.pid} on ${by.controller.host} (${by.what})`;
    super(
      'conflict',
      `${who} has taken over. This command has changed nothing since. Run svc deploy status to see the current state.`,
    );
    this.name = 'LostClaimError';
  }
}
