export { openApiDocument } from './openapi-document.js';
export type { OpenApiDocument } from './openapi-types.js';
export { securityOf } from './security.js';
