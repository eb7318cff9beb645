export { Administration } from './administration.js';
export type { AdministrationParts } from './administration-parts.js';
export type { ChangedLetters, DeadLetterAdministration, DeadLetterFilter } from './dead-letter-administration.js';
export { MeasuredStandings, mostCounted, type PerspectiveLag, type SegmentState } from './measured-standings.js';
export type { MigrationAdministration, SchemaState } from './migration-administration.js';
export { hasEnded, type OperationAdministration, type OperationOverview } from './operation-administration.js';
export type { Listed, Page } from './page.js';
export type { PerspectiveAdministration, PerspectiveState } from './perspective-administration.js';
export type {
  ProcessAdministration,
  ProcessHistory,
  ProcessInstanceKey,
  ProcessPage,
} from './process-administration.js';
export type { ReactionAdministration, ReactionState } from './reaction-administration.js';
export { readSchedule, type ScheduleAdministration, type SchedulePage } from './schedule-administration.js';
