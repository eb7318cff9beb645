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
} from './authentication/index.js';
export { drainOnSignals, type DrainOptions, type DrainOutcome, type Stoppable } from './drain/index.js';
export type { RequestLog } from './host.js';
export type { HostOptions } from './host-options.js';
export type { LiveOptions } from './live/index.js';
export type { OpenApiInfo, SvcOptions } from './options.js';
export { problemTypes, problemUrn, type ProblemName, type ProblemType } from './problems/index.js';
export type {
  AddedRoutes,
  ChecksOf,
  HealthProbesOptions,
  MeasuredRequest,
  MetricsOptions,
  MetricsSource,
} from './routes/index.js';
export type { ServerLimitOptions } from './server-limits.js';
export { run, type RunOptions } from './run/run.js';
export { serve, type ServedHost, type ServeOptions } from './node/serve.js';
export { nodeHandler, type NodeHandler, type NodeRequest } from './node/node-handler.js';
export { fetchHandler, type FetchHandler } from './fetch/fetch-handler.js';
export {
  verifyWebhook,
  webhook,
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  type WebhookOptions,
} from './webhooks/index.js';
