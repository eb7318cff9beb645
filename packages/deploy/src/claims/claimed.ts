import type { TrafficPlatform } from '../platform/index.js';
import { ClaimedPlatform } from './claimed-platform.js';
import { HeldClaim } from './held-claim.js';

/**
 * Runs an action under an exclusive claim. The claim is acquired before anything is changed and released when the action ends or fails.
 * The platform passed to the action rejects every change once another controller has taken over.
 */
export async function claimed<T>(
  platform: TrafficPlatform,
  what: string,
  action: (platform: TrafficPlatform) => Promise<T>,
): Promise<T> {
  const claim = await HeldClaim.take(platform, what);
  try {
    return await action(new ClaimedPlatform(platform, claim));
  } finally {
    await claim.release();
  }
}
