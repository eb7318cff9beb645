export { auditAttributeOf, auditEvent, type AuditAttribute } from './audit-attribute.js';
export { CommandAudited, EventAudited } from './records/audit-events.js';
export { AuditLevel } from './records/audit-level.js';
export { MessageDeadLettered, PerspectiveFailed, ReceptorFailed } from './records/error-events.js';
export {
  MigrationBatchCompleted,
  MigrationBatchStarted,
  MigrationFailureReason,
  MigrationItemCompleted,
  MigrationItemFailed,
  MigrationItemStarted,
  MigrationStatus,
  MigrationStrategy,
  type MigrationBatchItemResult,
} from './records/migration-events.js';
export {
  PerspectiveRebuildCompleted,
  PerspectiveRebuildFailed,
  PerspectiveRebuildProgress,
  PerspectiveRebuildStarted,
  PerspectiveRewindCompleted,
  PerspectiveRewindStarted,
  RebuildMode,
  StreamRewindCompleted,
  StreamRewindStarted,
} from './records/perspective-events.js';
export {
  AccessDenialReason,
  AccessDenied,
  AccessGranted,
  PermissionChanged,
  PermissionChangeType,
  ScopeContextEstablished,
} from './records/security-events.js';
export { SystemEventStream } from './system-event-stream.js';
