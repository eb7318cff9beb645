export { graphQLErrorCodes, type GraphQLErrorCode } from './errors/index.js';
export type { GraphQLLimits, PersistedOperations, SvcGraphQLOptions } from './options.js';
export { svcGraphQL } from './plugin.js';
