export { serviceSchema, type ResolverOf, type Resolvers, type ServiceSchema } from './service-schema.js';
