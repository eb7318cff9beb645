export { createService, Service, type ServicesArgument } from './service.js';
export type {
  AnyMutationEndpoint,
  EndpointDescriptor,
  ReadyEndpoint,
  ReceptorDescriptor,
  ServiceRegistry,
} from './service-registry.js';
