export {
  defaultRollingLimits,
  rollback,
  rolloutRecreate,
  rolloutRolling,
  type ReplacementRequest,
} from './replacement.js';
export { rollingStep, type RollingState, type RollingStep } from './rolling-plan.js';
