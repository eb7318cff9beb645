export { auditAttributeOf, auditEvent, type AuditAttribute } from './audit-attribute.js';
export { CommandAudited, EventAudited } from './records/audit-events.js';
export { AuditLevel } from './records/audit-level.js';
export {
  DeadLetterDiscarded,
  DeadLetterReplayed,
  MessageDeadLettered,
  PerspectiveFailed,
  ReactionFailed,
  ReceptorFailed,
} from './records/error-events.js';
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
export { SubjectErased } from './records/privacy-events.js';
export { LogSealed } from './records/seal-events.js';
export { TenantPlaced } from './records/tenant-events.js';
export { OperationEnded, OperationStarted } from './records/operation-events.js';
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
  AuthenticationFailed,
  PermissionChanged,
  PermissionChangeType,
  ScopeContextEstablished,
} from './records/security-events.js';
export { auditDestination } from './audit-destination.js';
export { noteForAudit, type AuditNote } from './audit-metadata.js';
export { AuditMode } from './audit-mode.js';
export { AuditPolicy } from './audit-policy.js';
export { AuditingEventStoreDecorator } from './auditing-event-store-decorator.js';
export { CommandAuditPipelineBehavior } from './command-audit-pipeline-behavior.js';
export { eventAuditedContent, type AuditNote as EventAuditNote } from './event-audit.js';
export { auditRecordOf, eventAuditedType } from './event-audited-record.js';
export { systemEventRecord } from './system-event-record.js';
export { FailedCommands } from './failed-commands.js';
export { isEnabled } from './category.js';
export { outgoingSystemEvent } from './outgoing-system-event.js';
export { OutboxSystemEventEmitter } from './outbox-system-event-emitter.js';
export { RepeatedRecords, type EmitRecord, type RepeatedRecord } from './repeated-records.js';
export { NoOpSystemEventEmitter, type EmitOptions, type SystemEventEmitter } from './system-event-emitter.js';
export { SystemEventOptions, type ErrorEventOptions } from './system-event-options.js';
export { CombinedTransportFilter } from './combined-transport-filter.js';
export { SystemEventTransportFilter } from './system-event-transport-filter.js';
export { isSystemMessage, systemNamespace } from './system-messages.js';
export { auditTag, systemTags } from './system-tags.js';
export { TagHooks, type TaggedMessage, type TagHook } from './tag-hooks.js';
