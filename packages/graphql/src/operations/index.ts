export type { Variables } from './literal-values.js';
export { argumentValue } from './open-arguments.js';
export { textFinder } from './persisted-operations.js';
export { PreparedDocuments, type PreparedOperation } from './prepared-documents.js';
export { RecentlyUsed } from './recently-used.js';
