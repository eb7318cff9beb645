export { claimed } from './claimed.js';
export { HeldClaim } from './held-claim.js';
export { isHeld } from './holder.js';
export { LostClaimError } from './lost-claim-error.js';
