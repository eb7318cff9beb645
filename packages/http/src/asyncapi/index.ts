export { asyncApiDocument } from './asyncapi-document.js';
export type { AsyncApiDocument } from './asyncapi-types.js';
