export { emitClient } from './client-emitter.js';
export { emitDocuments } from './documents-emitter.js';
