export type { Reporter } from './registrations.js';
export { beginExchange, type ClientConnection, type Exchange } from './exchange.js';
export type { GraphQLDescription } from './graphql-description.js';
export { createService, Service, type ServicesArgument } from './service.js';
export type {
  AnyMutationEndpoint,
  EndpointDescriptor,
  HostParts,
  PerspectiveDescriptor,
  ReadyEndpoint,
  ReceptorDescriptor,
  ServiceRegistry,
} from './service-registry.js';
export { systemEmitter } from './system-emitter.js';
export { traceIdOf } from './trace-id.js';
