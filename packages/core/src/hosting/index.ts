export type { AddedReaction } from './added-reaction.js';
export type { Reporter, ReportingPart } from './registrations.js';
export { commandGate } from './requests/command-gate.js';
export type { GraphQLDescription } from './graphql-description.js';
export {
  idempotencyKeyAgeMs,
  type IdempotentAnswer,
  type IdempotentRequests,
  type KeyedRequest,
} from './requests/idempotent-requests.js';
export { createService, Service } from './service.js';
export type {
  AnyMutationEndpoint,
  DeciderDescriptor,
  EndpointDescriptor,
  HostParts,
  PathParameters,
  PerspectiveDescriptor,
  ReadyEndpoint,
  ReceptorDescriptor,
  RequestHandler,
  ServiceRegistry,
} from './service-registry.js';
export { queuedMigrationEvents } from './wiring/migration-events.js';
export { perspectiveMigrations, type PerspectiveMigrationOptions } from './wiring/perspective-migrations.js';
export type { ServiceMessages } from './wiring/service-messages.js';
export { systemEmitter } from './wiring/system-emitter.js';
export type { TenantDatabases } from './databases/tenant-databases.js';
export type { LiveStepKind, LiveTelemetry, Telemetry } from './telemetry.js';
export type { MessageVerification } from './wiring/trust.js';
