export { databaseAddress, databaseSecrets } from './database-url.js';
export type { PostgresOptions } from './options.js';
export { postgres, PostgresStorage } from './postgres-storage.js';
export type { PostgresRoles, RolesPlan, RolesWanted } from './roles/postgres-roles.js';
export type { ServerReport } from './roles/server-report.js';
export type { ReadingStall } from './reading-stall.js';
