import { DeployError } from '../deploy-error.js';
import type { RolloutNotes } from './traffic-platform.js';

/** What a canary left behind is finished or taken back before anything else begins. */
export async function requireNoCanary(platform: RolloutNotes): Promise<void> {
  if ((await platform.note()) === null) return;
  throw new DeployError(
    'conflict',
    'A canary is under way. Finish it with --resume, or end it with svc deploy rollback.',
  );
}
