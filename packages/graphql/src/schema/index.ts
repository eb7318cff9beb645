export { serviceSchema, type ResolverOf, type ServiceSchema } from './service-schema.js';
