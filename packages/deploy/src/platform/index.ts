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
export { parseNote, type Controller, type RolloutNote } from './rollout-note.js';
export type {
  Environments,
  EnvironmentStatus,
  FrontSwitch,
  Replacement,
  ReplacementProgress,
  ReplacementWatch,
  Revision,
  RollingLimits,
  RolloutNotes,
  TrafficPlatform,
  TrafficSplitter,
} from './traffic-platform.js';
export { waitUntilReady } from './readiness.js';
export { requireNoCanary, scaleTo } from './scaling.js';
