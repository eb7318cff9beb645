export { indexedText } from './list-parameters.js';
export { liveListParameters, liveModelParameters } from './live-operations.js';
export { openApiDocument } from './openapi-document.js';
export type { JsonSchema, OpenApiDocument, Parameter, SchemaObject } from './openapi-types.js';
export { securityOf, type SecurityDescription } from './security.js';
