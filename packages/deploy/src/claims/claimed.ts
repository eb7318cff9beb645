import type { TrafficPlatform } from '../platform/index.js';
import { ClaimedPlatform } from './claimed-platform.js';
import { HeldClaim } from './held-claim.js';

/**
 * Changes a service while nobody else does. The claim is there before anything is touched and goes when the action has ended, however that
 * was; the platform that the action gets refuses every change once somebody else has taken over.
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
