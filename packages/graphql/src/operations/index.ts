export type { Variables } from './literal-values.js';
export { argumentValue } from './open-arguments.js';
export { DocumentFinder } from './document-finder.js';
export type { Executable } from './executable.js';
export { PreparedDocuments, type PreparedOperation } from './prepared-documents.js';
export { RecentlyUsed } from './recently-used.js';
export type { PreparedSubscription } from './subscriptions.js';
