export { DocumentFiles, mayHaveDocuments } from './document-files.js';
export { readDocuments } from './documents.js';
