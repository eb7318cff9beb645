import { DeployError } from '../deploy-error.js';
import type { RolloutNotes } from './traffic-platform.js';

/** Rejects a change while a canary is unfinished: it must be resumed or reverted first. */
export async function requireNoCanary(platform: RolloutNotes): Promise<void> {
  if ((await platform.note()) === null) return;
  throw new DeployError(
    'conflict',
    'A canary is in progress. Continue it with svc deploy canary --resume, or revert it with svc deploy rollback.',
  );
}
