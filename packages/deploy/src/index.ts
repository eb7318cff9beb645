export {
  defaultBlueGreenOptions,
  switchBack,
  switchOver,
  type BlueGreenOptions,
  type BlueGreenOutcome,
  type BlueGreenProgress,
} from './blue-green/blue-green.js';
export {
  abortCanary,
  canaryOptions,
  defaultCanaryOptions,
  judge,
  resumeCanary,
  startCanary,
  type CanaryOptions,
  type CanaryOutcome,
  type CanaryProgress,
  type CanaryRequest,
  type Verdict,
} from './canary/index.js';
export { claimed, isHeld, LostClaimError } from './claims/index.js';
export { deployConfig, loadConfig, type DeployConfig } from './config/deploy-config.js';
export { DeployError, messageOf, type DeployErrorCode } from './deploy-error.js';
export {
  createStateFolder,
  haproxyConfig,
  HaproxyPlatform,
  type HaproxyPlatformOptions,
  type HaproxySettings,
} from './haproxy/index.js';
export { versionPattern, type InstanceRunner, type Place } from './instances/index.js';
export { errorRateOf, type Observation, type TrafficMetrics, type TrafficSample } from './metrics/observation.js';
export { PrometheusMetrics, type PrometheusSettings } from './metrics/prometheus.js';
export { platformOf } from './platform-of.js';
export {
  environments,
  isSameSplit,
  otherThan,
  ownerOf,
  splitOf,
  waitUntilReady,
  type Environment,
  type EnvironmentStatus,
  type PerEnvironment,
  type ReplacementProgress,
  type Revision,
  type RollingLimits,
  type RolloutClaim,
  type RolloutNote,
  type Split,
  type TrafficPlatform,
} from './platform/index.js';
export {
  defaultRollingLimits,
  rollback,
  rollingStep,
  rolloutRecreate,
  rolloutRolling,
  type ReplacementRequest,
} from './replacement/index.js';
export { installInto, scaleTo, type Installation } from './scaling/index.js';
export {
  incompatible,
  outcomeOf,
  postChecks,
  preChecks,
  runChecks,
  Skipped,
  verification,
  type Check,
  type CheckResult,
  type CheckSettings,
  type ChecksOutcome,
  type DatabaseAccess,
  type PendingMigration,
  type PerspectiveSource,
  type SmokeRequest,
} from './checks/index.js';
