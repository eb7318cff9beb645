export { graphQLErrorCodes, type GraphQLErrorCode } from './errors/index.js';
export { graphQL } from './graphql.js';
export type { GraphQLLimits, GraphQLOptions, PersistedOperations } from './options.js';
