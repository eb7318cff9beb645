export {
  addProbeRoutes,
  Drain,
  drainOnSignals,
  type DrainOptions,
  type DrainOutcome,
  type Stoppable,
} from './drain/index.js';
export type { OpenApiInfo, SvcOptions } from './options.js';
export { svc } from './plugin.js';
export { problemTypes, problemUrn, type ProblemName, type ProblemType } from './problems/index.js';
