export type { OpenApiInfo, SvcOptions } from './options.js';
export { svc } from './plugin.js';
export { problemTypes, problemUrn, type ProblemName, type ProblemType } from './problems/index.js';
export { health, type ChecksOf, type HealthProbesOptions } from './health.js';
