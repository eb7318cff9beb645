export { mayHaveDocuments } from './document-files.js';
export { DocumentReader } from './document-reader.js';
export type { DocumentsResult } from './documents.js';
