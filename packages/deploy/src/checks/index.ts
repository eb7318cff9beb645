export { outcomeOf, runChecks, Skipped, type Check, type CheckResult, type ChecksOutcome } from './check.js';
export type { DatabaseAccess, PerspectiveSource } from './database-access.js';
export { incompatible, readPending, type PendingMigration } from './migrations.js';
export { postChecks, verification } from './post-checks.js';
export { preChecks } from './pre-checks.js';
export type { CheckSettings, SmokeRequest } from './settings.js';
