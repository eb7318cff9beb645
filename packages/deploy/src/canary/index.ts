export { canaryOptions, defaultCanaryOptions, type CanaryOptions } from './canary-options.js';
export type { CanaryOutcome, CanaryProgress } from './canary-progress.js';
export { abortCanary, resumeCanary, startCanary, type CanaryRequest } from './start-canary.js';
export { judge, type Verdict } from './verdict.js';
