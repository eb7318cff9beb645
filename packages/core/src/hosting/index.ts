export type { Reporter, ReportingPart } from './registrations.js';
export { forbidSniffing, restrictBrowser, type ReplyHeaders } from './browser-headers.js';
export { commandGate } from './requests/command-gate.js';
export { isJsonInUtf8, longestHeader, readContentType, type ContentType } from './content-type.js';
export { beginExchange, type ClientConnection, type Exchange } from './requests/exchange.js';
export { inStep } from './in-step.js';
export type { GraphQLDescription } from './graphql-description.js';
export {
  idempotencyKeyAgeMs,
  type IdempotentAnswer,
  type IdempotentRequests,
  type KeyedRequest,
} from './requests/idempotent-requests.js';
export { createService, Service, type ServicesArgument } from './service.js';
export type {
  AnyMutationEndpoint,
  EndpointDescriptor,
  HostParts,
  PerspectiveDescriptor,
  ReadyEndpoint,
  ReceptorDescriptor,
  RequestHandler,
  ServiceRegistry,
} from './service-registry.js';
export { queuedMigrationEvents } from './wiring/migration-events.js';
export { perspectiveMigrations, type PerspectiveMigrationOptions } from './wiring/perspective-migrations.js';
export { systemEmitter } from './wiring/system-emitter.js';
export type { Telemetry } from './telemetry.js';
export type { MessageVerification } from './wiring/trust.js';
export { noteTraceOf, traceField, traceIdOf, type TracedRequest } from './requests/trace-id.js';
