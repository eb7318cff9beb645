export { serviceSchema, type ResolverOf, type Resolvers, type ServiceSchema } from './service-schema.js';
export type { SourceOf, SubscriptionSource } from './subscription-source.js';
