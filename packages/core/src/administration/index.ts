export { Administration } from './administration.js';
export type { AdministrationParts } from './administration-parts.js';
export type { MigrationAdministration, SchemaState } from './migration-administration.js';
