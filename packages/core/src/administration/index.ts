export { ActivityRecorder, requireValidActivity, type ActivityOptions } from './activity/activity-recorder.js';
export { CommandMeter, measuredDispatcher } from './activity/command-meter.js';
export { Administration } from './administration.js';
export type { AdministrationParts } from './administration-parts.js';
export type { MigrationAdministration, SchemaState } from './migration-administration.js';
export type {
  ActivityHistory,
  CommandRates,
  DeployedVersion,
  HistoryPoint,
  OutboxLag,
  Overview,
  OverviewHost,
  OverviewSeals,
} from './overview.js';
export type { ObservedDatabase } from './observed-database.js';
export type { OverviewAdministration } from './overview-administration.js';
