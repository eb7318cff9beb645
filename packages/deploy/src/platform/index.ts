export {
  environments,
  isSameSplit,
  otherThan,
  ownerOf,
  perEnvironment,
  splitOf,
  type Environment,
  type PerEnvironment,
  type Split,
} from './environments.js';
export { requireIdle } from './require-idle.js';
export { requireNoCanary } from './require-no-canary.js';
export { parseClaim, type Controller, type RolloutClaim } from './rollout-claim.js';
export { parseNote, type RolloutNote } from './rollout-note.js';
export type {
  Environments,
  EnvironmentStatus,
  FrontSwitch,
  Replacement,
  ReplacementProgress,
  ReplacementWatch,
  Revision,
  RollingLimits,
  RolloutClaims,
  RolloutNotes,
  TrafficPlatform,
  TrafficSplitter,
} from './traffic-platform.js';
export { waitUntilReady } from './readiness.js';
