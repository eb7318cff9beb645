export { connectivityChecks } from './connectivity-check.js';
export { drainCheck } from './drain-check.js';
export { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';
export { HealthPipeline, type HealthEntry, type HealthOptions, type HealthReport } from './health-pipeline.js';
export { migrationsCheck } from './migrations-check.js';
export { perspectivesChecks, type LagLimits } from './perspectives-check.js';
export { relationalDbChecks } from './relational-db-check.js';
export { selfCheck } from './self-check.js';
export { subscriptionsCheck } from './subscriptions-check.js';
