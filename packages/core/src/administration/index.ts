export { ActivityRecorder, requireValidActivity, type ActivityOptions } from './activity/activity-recorder.js';
export { Administration } from './administration.js';
export type { AccessAdministration, CountedDenials, KnownUsers, UserAccess } from './access-administration.js';
export type { AdministrationParts } from './administration-parts.js';
export type { EventAdministration, ShownBody, ShownEvent, ShownModel } from './event-administration.js';
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
export { provenanceOf, type Provenance } from './provenance.js';
export type { Match, Search } from './search.js';
export type {
  ShownModels,
  ShownSnapshot,
  ShownStream,
  StreamAdministration,
  StreamPage,
} from './stream-administration.js';
export type { ShownRewind } from './stream-rewinds.js';
export type { ChangedLetters, DeadLetterAdministration, DeadLetterFilter } from './dead-letter-administration.js';
export { MeasuredStandings, mostCounted, type PerspectiveLag, type SegmentState } from './measured-standings.js';
export type { MigrationAdministration, SchemaState } from './migration-administration.js';
export { hasEnded, type OperationAdministration, type OperationOverview } from './operation-administration.js';
export { listed, type Listed, type Page } from './page.js';
export type { PerspectiveAdministration, PerspectiveState } from './perspective-administration.js';
export {
  readInstances,
  type ProcessAdministration,
  type ProcessHistory,
  type ProcessInstanceKey,
  type ProcessPage,
} from './process-administration.js';
export { readReactions, type ReactionAdministration, type ReactionState } from './reaction-administration.js';
export { readSchedule, type ScheduleAdministration, type SchedulePage } from './schedule-administration.js';
