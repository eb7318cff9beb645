export {
  canaryHeader,
  restrictedTo,
  securityContextOf,
  type CanaryHeaderOptions,
  type RestrictingOptions,
  type RouteAccess,
} from './access/index.js';
export {
  apiKeyAuthentication,
  hashApiKey,
  identityOfClaims,
  jwtAuthentication,
  newApiKey,
  type ApiKey,
  type ApiKeyHolder,
  type ApiKeyOptions,
  type Identity,
  type JwtClaims,
  type JwtKeySource,
  type JwtOptions,
  type KeySetOptions,
  type ProtectedResource,
  type RolePermissions,
} from './authentication/index.js';
export { Drain, drainOnSignals, type DrainOptions, type DrainOutcome, type Stoppable } from './drain/index.js';
export { metrics, type MeasuredRequest, type MetricsOptions, type MetricsSource } from './metrics.js';
export {
  reportToLog,
  structuredLogs,
  type ActiveTrace,
  type StructuredLogs,
  type StructuredLogsOptions,
} from './logs/index.js';
export type { OpenApiInfo, SvcOptions } from './options.js';
export { svc } from './plugin.js';
export { serverLimits, type ServerLimitOptions, type ServerLimits } from './server-limits.js';
export { problemTypes, problemUrn, type ProblemName, type ProblemType } from './problems/index.js';
export { health, type ChecksOf, type HealthProbesOptions } from './health.js';
