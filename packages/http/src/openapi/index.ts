export { openApiDocument } from './openapi-document.js';
export type {
  JsonSchema,
  OpenApiDocument,
  Operation,
  Response,
  SchemaObject,
  SecurityScheme,
} from './openapi-types.js';
export { securityOf } from './security.js';
