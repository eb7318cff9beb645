export type { Reporter } from './registrations.js';
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
