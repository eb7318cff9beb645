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
  signToken,
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
  type TokenHolder,
  type TokenSigning,
} from '@svc/http';
export { Drain } from './drain.js';
export { drainOnSignals, type DrainOptions, type DrainOutcome, type Stoppable } from '@svc/http';
export { metrics } from './metrics.js';
export type { MeasuredRequest, MetricsOptions, MetricsSource } from '@svc/http';
export {
  reportToLog,
  structuredLogs,
  type ActiveTrace,
  type StructuredLogs,
  type StructuredLogsOptions,
} from './logs/index.js';
export type { OpenApiInfo, SvcOptions } from '@svc/http';
export { svc, svcRoutes } from './plugin.js';
export { serverLimits, type ServerLimits } from './server-limits.js';
export type { ServerLimitOptions } from '@svc/http';
export { problemTypes, problemUrn, type ProblemName, type ProblemType } from '@svc/http';
export { health } from './health.js';
export type { ChecksOf, HealthProbesOptions } from '@svc/http';
