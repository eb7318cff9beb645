export { armKey } from './names.js';
export { graphQLSchema, hasGraphQL, type GraphQLFault, type GraphQLSchemaResult } from './schema-builder.js';
export type { GraphQLDefinition, GraphQLObject, GraphQLSchemaModel, GraphQLUnion } from './schema-model.js';
export { printSchema } from './sdl.js';
