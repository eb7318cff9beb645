export { openApiDocument } from './openapi-document.js';
export type { JsonSchema, OpenApiDocument, Operation, Response, SchemaObject } from './openapi-types.js';
